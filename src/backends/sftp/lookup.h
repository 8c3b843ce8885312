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
  std::vector<std::string> names = {};  ///< The path from the backend's root, as names.
  Attributes attributes = {};
};

/// Resolves paths below one folder of the backend. The server would follow symbolic links wherever
/// they lead, so links are resolved here, one component after the other. A link that is absolute or
/// leaves the folder counts as missing.
///
/// A race remains: another user who can write on the server may replace a folder by a link between
/// the check and the request that follows. SFTP cannot prevent it.
class Lookup {
 public:
  Lookup() = default;
  explicit Lookup(Path base) : base_(std::move(base)) {}
  Lookup beneath(const Path& folder) const { return Lookup(base_ / folder); }

  /// Returns the file or folder at a path; a link at the end of the path is followed too.
  /// `not_found` for anything else, `invalid` if a file is on the way.
  Result<Found> find(const SftpRemote& remote, const Path& path) const;
  /// Returns the path for a name, which need not exist, with the attributes of its folder. The
  /// folder must exist: `not_found` if it is missing, `invalid` if it is a file.
  Result<Found> find_name(const SftpRemote& remote, const Path& path) const;

  /// See storage::Backend::canonical.
  Result<Path> canonical(const SftpRemote& remote, const Path& path) const;

 private:
  Result<Found> start(const SftpRemote& remote) const;

  Path base_;
};

/// True if clients see an item of this name: a Path can hold the name.
bool is_shown(std::string_view name);

}  // namespace coffer::sftp
