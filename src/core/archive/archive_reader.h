#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "core/archive/packed_item.h"

namespace coffer::core {

/// The source of an archive's bytes and the receiver of its items. Its calls may block.
class ArchiveHost {
 public:
  virtual ~ArchiveHost() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Reads up to `out.size()` bytes of the archive from `offset`; 0 only at its end, nullopt on
  /// failure.
  virtual std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Receives an item; true if its content is wanted.
  virtual bool wants(const PackedItem& item) = 0;
  /// Receives the next part of the content.
  virtual void add(std::span<const std::byte> content) = 0;
  /// The item's content is complete.
  virtual void end_item() = 0;
  /// The item cannot be read to its end; other items may follow. The reason is a sentence in UTF-8.
  virtual void break_item(std::string_view reason) = 0;
};

/// The limits for reading an archive.
struct ArchiveBounds {
  std::uint64_t items = 250'000;
  /// The unpacked size of a compressed tar, and of skipped content in a 7z, which takes as long.
  std::uint64_t stream_bytes = std::uint64_t{1} << 40;
};

/// Reads an archive from its first item to its last: a zip, a 7z, or a tar, which may be compressed
/// by gzip, bzip2, xz, zstd or lz4. Blocks, and takes as much memory as the archive demands
/// (libarchive limits neither xz nor 7z), so it needs a process with limited memory.
///
/// `invalid` if it is no such archive, damaged or encrypted; `refused` beyond a limit. The host
/// keeps what it received before.
Result<void> read_archive(ArchiveHost& host, const ArchiveBounds& bounds);

}  // namespace coffer::core
