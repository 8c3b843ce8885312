#pragma once

#include <string>
#include <string_view>

namespace coffer::storage {

/// Makes a name for an incomplete item beside its target, for backends without a staging folder.
/// The name is unguessable, short enough for every server, and contains the tag of this process
/// (see partial_tag).
std::string partial_name();

/// Returns the tag of this process: 9 random hexadecimal digits that all partial names of this
/// process contain.
const std::string& partial_tag();

/// Returns the tag in a partial name; empty for other names.
std::string_view partial_tag_of(std::string_view name);

/// Returns true if the name has the form of a partial name, from any process.
bool is_partial_name(std::string_view name);

/// Returns a pattern (glob(7)) that matches all partial names.
std::string partial_name_glob();

/// The staging folder of a share, or of a home directory on another disk than the data folder. In
/// this subfolder of the share or home directory, the backend collects new content.
inline constexpr std::string_view kStagingFolder = ".coffer-staging";

/// An empty file that makes its folder exist on servers that store only files.
inline constexpr std::string_view kFolderMarker = ".coffer-folder";

/// The folder of a bin, which contains deleted items. It is at the top of the home directory, share
/// or connector from which the items were deleted.
inline constexpr std::string_view kBinFolder = ".coffer-bin";

/// A file at the top of a share, by which servers that share a catalog see that they have the same
/// folder.
inline constexpr std::string_view kShareMark = ".coffer-mark";

/// Returns true for hidden names: partial names, and the names of the bin, the staging folder, the
/// folder marker and the share's mark; also in another case, or with dots and blanks behind them,
/// since some file systems take these for the same name. Requests cannot name hidden items. Copies,
/// and the listings that clients see, leave hidden items out. A Backend itself serves them like
/// other items.
bool is_hidden_name(std::string_view name);

/// Returns true for names such as `COFFER~1`, under which FAT, NTFS and SMB may also find a hidden
/// item. Another item may have such a name as its own.
bool is_short_hidden_name(std::string_view name);

/// Makes a backup name for an item that is being replaced by another. The old item gets its name
/// back if the replacement fails. A backup name is visible, and Coffer does not remove leftover
/// backups: after a crash a backup may be the only copy.
std::string backup_name(std::string_view name);

}  // namespace coffer::storage
