#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::core {

/// The metadata of an item in an archive. It comes from the archive, so it cannot be trusted.
struct PackedItem {
  enum class Kind : std::uint8_t {
    file,
    folder,
    link,               ///< A symbolic link or a hard link.
    special,            ///< A device, a FIFO or the like.
    encrypted,          ///< A file that cannot be unpacked without its password.
    of_unknown_method,  ///< A file whose compression method is not known here.
  };
  Kind kind = Kind::file;
  std::string name;  ///< In UTF-8, unless it could not be converted.
  std::optional<std::uint64_t> size_bytes = {};
  std::optional<Timestamp> modified_at = {};
  /// True if the item's archive can be listed without decompression; the same for all its items.
  bool is_listed_cheaply = false;

  bool operator==(const PackedItem&) const = default;
};

/// The most path components that an item's name may have, and the most bytes.
inline constexpr std::size_t kMostPackedFolders = 100;
inline constexpr std::size_t kMostPackedNameBytes = 4096;

/// Converts an item's name to a path relative to the target folder; the root path means the target
/// folder itself. A root or a drive in front of it (`/`, `C:/`) is left out. The path never leads
/// out of the target folder. Its components are valid names, and none is hidden (see
/// storage::is_hidden_name). Errors:
/// - `refused` if the name is too long or has too many components
/// - `invalid`, with a message that says why, if the name is not allowed
Result<Path> place_of(std::string_view name);

/// Returns an item's name in quotes, cut and escaped so that it fits into a message of one line.
std::string quoted_name(std::string_view name);

}  // namespace coffer::core
