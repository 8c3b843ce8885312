#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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

}  // namespace coffer::core
