#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/character_set.h"

namespace coffer::core {

/// The character sets of names that are not UTF-8, where nobody says which it is: the one that the
/// format of zip says, and for a tar, which says nothing, the one that most people use.
inline constexpr CharacterSet kNamesOfZips = CharacterSet::ibm_437;
inline constexpr CharacterSet kNamesOfTars = CharacterSet::windows_1252;

/// Returns a name as UTF-8: as it stands if it is that, otherwise converted from `set`. Returns the
/// bytes as they are, which is no UTF-8, if the set has no such text.
std::string name_of_bytes(std::string_view bytes, CharacterSet set);

/// Returns an item's name in a zip, which `name_of_bytes` converts unless the extra field of
/// Unicode paths (0x7075, empty if missing) has it. A backslash becomes a slash, as many programs
/// of Windows mean it.
std::string name_of_zip(std::string_view bytes, std::string_view unicode_field, CharacterSet set);

}  // namespace coffer::core
