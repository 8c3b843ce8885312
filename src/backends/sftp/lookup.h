#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "backends/sftp/sftp_remote.h"
#include "base/path.h"

namespace coffer::sftp {

/// The target of a path when all links were followed.
struct Found {
  std::string place;                    ///< The whole path on the server.
  std::vector<std::string> names = {};  ///< The same from the backend's root.
  Attributes attributes = {};
};

/// Finds items beneath one folder of the backend. The server's kernel follows links wherever they
/// lead, so each component is looked at and links are resolved here: a link that leaves the folder,
/// or is absolute, counts as absent.
///
/// A race remains: others with write access to the server can replace a folder by a link between
/// the look and the request that follows. SFTP cannot prevent it.
class Lookup {
 public:
  Lookup() = default;
  explicit Lookup(Path base) : base_(std::move(base)) {}
  Lookup beneath(const Path& folder) const { return Lookup(base_ / folder); }

  /// Returns a file or folder, with the last component followed too. `not_found` for anything else.
  Result<Found> find(const SftpRemote& remote, const Path& path) const;
  /// Returns the place of a name in a folder that must exist: `invalid` if the folder is a file.
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
