#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "core/archive/packed_item.h"

namespace coffer::core {

/// The source of an archive's bytes and the receiver of its items. Its functions may block.
class ArchiveHost {
 public:
  virtual ~ArchiveHost() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Reads up to `out.size()` bytes of the archive from `offset` and returns their number. Returns
  /// 0 only at the end of the archive, and nullopt after a failure.
  virtual std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Receives an item. Returns true if its content is wanted; only files have content.
  virtual bool wants(const PackedItem& item) = 0;
  /// Receives the next part of the item's content.
  virtual void add(std::span<const std::byte> content) = 0;
  /// Called after the last part, if the item's content is complete.
  virtual void end_item() = 0;
  /// Called instead of `end_item` if the item cannot be read to its end; other items may follow.
  /// `reason` is a sentence in UTF-8.
  virtual void break_item(std::string_view reason) = 0;
};

/// The limits for reading an archive.
struct ArchiveBounds {
  std::uint64_t items = 250'000;  ///< The most items that an archive may have.
  /// The most decompressed bytes of a compressed tar, or of the items that are skipped in a 7z.
  std::uint64_t stream_bytes = std::uint64_t{1} << 40;
};

/// Reads an archive from its first item to its last and passes the items to `host`. The archive is
/// a zip, a 7z, or a tar. The tar may be compressed by gzip, bzip2, xz, zstd or lz4. Blocks. Call
/// it only in a process with limited memory: an xz or 7z can make libarchive use any amount of
/// memory.
///
/// After a failure, the items that the host has received completely are valid. Errors:
/// - `invalid` if the archive has another format, is damaged or is encrypted
/// - `refused` if it exceeds a limit, needs too much memory or is compressed more than once
Result<void> read_archive(ArchiveHost& host, const ArchiveBounds& bounds);

}  // namespace coffer::core
