#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace coffer::core {

/// What an archive says of an item in it. Nothing of it is to be trusted.
struct PackedItem {
  enum class Kind : std::uint8_t {
    file,
    folder,
    link,     ///< Symbolic, or to another item of the archive.
    special,  ///< A device, a FIFO and the like.
    locked,   ///< Packed by a method that may take more memory than there is for it.
  };
  Kind kind = Kind::file;
  std::string name;  ///< UTF-8 where it could be made that.
  std::optional<std::uint64_t> size_bytes = {};
  std::optional<Timestamp> modified_at = {};
  /// All items of this archive can be asked for without reading what they hold.
  bool is_listed_cheaply = false;

  bool operator==(const PackedItem&) const = default;
};

}  // namespace coffer::core
