#pragma once

#include <string>
#include <string_view>

namespace coffer::storage {

/// A name for an incomplete item beside its target, for backends without a staging folder:
/// unguessable, short enough for every server, and with this process's tag.
std::string partial_name();

/// 9 hexadecimal digits that all partial names of this process contain, and those of no other
/// process.
const std::string& partial_tag();

/// The tag in a partial name; empty for other names.
std::string_view partial_tag_of(std::string_view name);

/// True for names that partial_name() made, in any process.
bool is_partial_name(std::string_view name);

/// A pattern (glob(7)) that matches all partial names.
std::string partial_name_glob();

/// The folder in a shared folder where its backend collects new content.
inline constexpr std::string_view kStagingFolder = ".coffer-staging";

/// An empty file that makes a folder exist on servers that know only files.
inline constexpr std::string_view kFolderMarker = ".coffer-folder";

/// A folder at the top of a place that holds what was deleted into its bin.
inline constexpr std::string_view kBinFolder = ".coffer-bin";

/// True for partial names and for the names of the bin, the staging folder and the marker. Requests
/// cannot name such items, listings and copies leave them out. A backend serves them like others to
/// code that knows their names.
bool is_hidden_name(std::string_view name);

/// A name for an item that is moved aside while another one takes its name, and may be moved back.
/// It is visible and never removed by a sweep: after a crash it may be the only copy.
std::string backup_name(std::string_view name);

}  // namespace coffer::storage
