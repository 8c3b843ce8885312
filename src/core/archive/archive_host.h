#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/archive/packed_item.h"

namespace coffer::core {

/// Where an archive's bytes come from, and what is in it goes to. Its calls may block.
class ArchiveHost {
 public:
  virtual ~ArchiveHost() = default;

  virtual std::uint64_t size_bytes() const = 0;
  /// Up to `out.size()` bytes of the archive from `offset`; 0 at its end only, nothing where they
  /// cannot be had.
  virtual std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// An item; true if its content is wanted.
  virtual bool wants(const PackedItem& item) = 0;
  /// What comes next of the content that was wanted.
  virtual void add(std::span<const std::byte> content) = 0;
  /// It is complete.
  virtual void end_item() = 0;
  /// It cannot be had to its end; other items may follow. The reason is UTF-8, a whole sentence.
  virtual void break_item(std::string_view reason) = 0;
};

}  // namespace coffer::core
