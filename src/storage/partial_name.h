#pragma once

#include <string>
#include <string_view>

namespace coffer::storage {

/// A name for what is not complete yet and stands beside its target, where a backend has no place
/// out of sight: unguessable, short enough for every server, and with the maker's tag.
std::string partial_name();

/// What all partial names that this process makes have in common, and those of no other process: 9
/// hexadecimal digits.
const std::string& partial_tag();

/// The tag in a partial name; empty for other names.
std::string_view partial_tag_of(std::string_view name);

/// True for such names.
bool is_partial_name(std::string_view name);

/// The same as a pattern of shells (glob(7)).
std::string partial_name_glob();

/// The folder in a shared folder where its backend collects new content.
inline constexpr std::string_view kStagingFolder = ".coffer-staging";

/// An empty file that keeps an empty folder where a server knows only files.
inline constexpr std::string_view kFolderMarker = ".coffer-folder";

/// A folder at the top of a place that holds what was deleted into its bin.
inline constexpr std::string_view kBinFolder = ".coffer-bin";

/// True for partial names, the bin's, the staging folder's and the marker's, which may also be
/// those of another mount. No request can ask for them, no answer lists them and no copy takes them
/// along. The code that collects something there knows the name, and a backend serves it like
/// others.
bool is_hidden_name(std::string_view name);

/// A name for what has to make room for something of its name, and may have to come back. It shows,
/// and nothing ever sweeps it: after a crash at the wrong moment it is the only copy.
std::string backup_name(std::string_view name);

}  // namespace coffer::storage
