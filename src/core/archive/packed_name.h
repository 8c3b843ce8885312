#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/path.h"

namespace coffer::core {

/// Deeper, or longer, nothing is unpacked.
inline constexpr std::size_t kMostPackedFolders = 100;
inline constexpr std::size_t kMostPackedNameBytes = 4096;

/// Where an item goes in the folder that its archive is unpacked into, by the name that the archive
/// has for it; the root for that folder itself. It never leads out of the folder, and each of its
/// components is a Name that may show. `refused` where it is too long or too deep, which no tree of
/// files is; `invalid`, with a sentence on why, for every other name that nothing is made under.
Result<Path> place_of(std::string_view name);

/// What an archive calls an item, for a message of one line.
std::string quoted_name(std::string_view name);

}  // namespace coffer::core
