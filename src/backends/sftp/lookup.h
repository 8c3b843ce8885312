#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "backends/sftp/sftp_remote.h"
#include "base/path.h"

namespace coffer::sftp {

/// The result of resolving a path and its symbolic links.
struct Found {
  std::string place;                    ///< The absolute path on the server.
  std::vector<std::string> names = {};  ///< The components of `place` below the backend's root.
  Attributes attributes = {};
};

/// Resolves paths below one folder of the backend. The server would follow symbolic links even out
/// of this folder. So this class resolves links itself, one path component after the other. A link
/// counts as missing if its target is an absolute path or is outside the folder.
///
/// A race remains: after a path is resolved and before it is used, another user of the server can
/// replace a folder by a link. SFTP has no means to prevent this.
class Lookup {
 public:
  Lookup() = default;
  explicit Lookup(Path base) : base_(std::move(base)) {}
  Lookup beneath(const Path& folder) const { return Lookup(base_ / folder); }

  /// Returns the file or folder at a path. Follows links, also one at the end of the path.
  /// `not_found` if there is no file or folder, `invalid` if a component before the last is a file.
  Result<Found> find(const SftpRemote& remote, const Path& path) const;
  /// Resolves the folder of `path` and appends the last name, which need not exist. The attributes
  /// are those of the folder. `not_found` if the folder is missing, `invalid` if it is a file.
  Result<Found> find_name(const SftpRemote& remote, const Path& path) const;

  /// See storage::Backend::canonical.
  Result<Path> canonical(const SftpRemote& remote, const Path& path) const;

 private:
  Result<Found> start(const SftpRemote& remote) const;

  Path base_;
};

/// True if a Path can contain the name. Clients see only items with such names.
bool is_shown(std::string_view name);

}  // namespace coffer::sftp
