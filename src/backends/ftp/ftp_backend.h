#pragma once

#include <cstdint>
#include <memory>

#include "async/pool.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::ftp {

class Server;

/// A folder on an FTP server, without encryption or over TLS, through libcurl. The protocol has
/// limits:
///
/// - There is no atomic create-if-absent. The backend looks first whether a name is free. If
///   another client takes the name before the rename, the other client's item is replaced. Callers
///   of one backend and its views do not race.
/// - A rename replaces a file atomically only if the server supports that. Otherwise the old file
///   is first renamed to a backup name, and its name is free for a moment. If several files are
///   replaced together, this is done for all but the last one.
/// - Symbolic links cannot be resolved. They are not listed or measured, and recursive operations
///   do not enter them. Removing a tree removes the links in it, not their targets. If a request
///   names a link, the server may follow it, wherever it leads.
/// - No command copies, so `copies` returns false.
/// - New content is collected under a partial name beside its target. Partial names are hidden. A
///   crash may leave partial files on the server.
/// - Listings without MLSD give times to the minute or the day, in the server's time zone, which is
///   taken for UTC. `stat` asks for the exact time of a file.
///
/// Changes are not atomic for other clients of the server. A removal that fails halfway leaves the
/// items that it did not reach.
class FtpBackend final : public remote::RemoteBackend {
 public:
  /// Opens a backend without connecting. `invalid` if the host or the port is missing, the host has
  /// an invalid character, the login has a control character, or the root is not a valid path.
  /// `pool` must outlive the backend, its readers and its writers.
  static Result<std::unique_ptr<FtpBackend>> open(FtpOptions options, Pool& pool);
  ~FtpBackend() override;

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  bool copies() const override { return false; }
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  FtpBackend(std::shared_ptr<Server> server, Path base, bool is_limited);
  Task<std::unique_ptr<remote::Adapter>> begin(remote::Use use) override;
  void sweep_behind() override;

  std::shared_ptr<Server> server_;  ///< Shared with the views, readers and writers.
  Path base_;
  const bool is_limited_;  ///< True for a view; see Use::is_limited.
};

}  // namespace coffer::ftp
