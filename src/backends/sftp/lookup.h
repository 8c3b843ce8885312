#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "backends/sftp/sftp_remote.h"
#include "base/path.h"

namespace coffer::sftp {

/// Where a path leads when all links were followed.
struct Found {
  std::string place;                    ///< The whole path on the server.
  std::vector<std::string> names = {};  ///< The same from the backend's root.
  Attributes attributes = {};
};

/// Finds items beneath one folder of the backend. The server's kernel follows links wherever they
/// lead, so each component is looked at and links are resolved here: one that leaves the folder, or
/// is absolute, is as if it were not there.
///
/// What remains is a race: others with write access to the server can put a link where a folder was
/// between the look and the request that follows. SFTP has nothing that would close it.
class Lookup {
 public:
  Lookup() = default;
  explicit Lookup(Path base) : base_(std::move(base)) {}
  Lookup beneath(const Path& folder) const { return Lookup(base_ / folder); }

  /// A file or folder, the last component followed too. `not_found` for anything else.
  Result<Found> find(const SftpRemote& remote, const Path& path) const;
  /// The place of a name in a folder that must exist: `invalid` if a file stands there.
  Result<Found> find_name(const SftpRemote& remote, const Path& path) const;

  /// See storage::Backend::canonical.
  Result<Path> canonical(const SftpRemote& remote, const Path& path) const;

 private:
  Result<Found> start(const SftpRemote& remote) const;

  Path base_;
};

/// True for names that are shown: those that a Path can hold.
bool is_shown(std::string_view name);

}  // namespace coffer::sftp
