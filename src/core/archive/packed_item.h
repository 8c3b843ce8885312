#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::core {

/// An archive's metadata of an item. Untrusted.
struct PackedItem {
  enum class Kind : std::uint8_t {
    file,
    folder,
    link,     ///< Symbolic, or to another item of the archive.
    special,  ///< A device, a FIFO and the like.
    locked,   ///< Compressed by a method that may need more memory than the limit.
  };
  Kind kind = Kind::file;
  std::string name;  ///< UTF-8 if it could be converted.
  std::optional<std::uint64_t> size_bytes = {};
  std::optional<Timestamp> modified_at = {};
  /// The archive's items can be listed without reading their content.
  bool is_listed_cheaply = false;

  bool operator==(const PackedItem&) const = default;
};

/// Items with deeper or longer names are not unpacked.
inline constexpr std::size_t kMostPackedFolders = 100;
inline constexpr std::size_t kMostPackedNameBytes = 4096;

/// Converts an item's name to its path in the target folder; the root for that folder itself. The
/// path never leads out of the folder, and its components are valid and not hidden. `refused` if
/// the name is too long or too deep; `invalid`, with the reason, for any other invalid name.
Result<Path> place_of(std::string_view name);

/// Quotes an item's name for a message of one line.
std::string quoted_name(std::string_view name);

/// Converts a text from DOS's code page 437, in which every byte is a character, to UTF-8.
std::string utf8_of_cp437(std::string_view text);

}  // namespace coffer::core
