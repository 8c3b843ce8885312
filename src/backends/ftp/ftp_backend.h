#pragma once

#include <cstdint>
#include <memory>

#include "async/pool.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::ftp {

class Server;

/// A folder on an FTP server. Uses libcurl, with or without TLS. The protocol has limits:
///
/// - FTP uploads and renames cannot be told to fail if the new name is taken. So the backend checks
///   the name first. If another client of the server takes the name after the check, that client's
///   item is replaced. Callers of one backend and its views (`beneath`) exclude each other.
/// - A rename replaces a file atomically only if the server supports that. Otherwise the old file
///   is first renamed to a backup name, and its own name is free for a moment. If several files are
///   replaced together, only the last one can be replaced atomically.
/// - Symbolic links cannot be resolved. They are not listed or measured, and recursive operations
///   do not enter them. Removing a tree removes the links in it, not their targets. If a request
///   names a link, the server may follow the link, even out of the backend's folder.
/// - FTP has no command that copies a file, so `copies` returns false.
/// - New content is first written under a temporary "partial" name beside its target. Listings hide
///   partial names. A crash may leave partial files on the server.
/// - Servers without MLSD list times only to the minute or the day, in their own time zone. The
///   backend takes such times for UTC. `stat` asks for the exact time of a file.
///
/// Other clients of the server may see changes that are half done. A removal that fails halfway
/// leaves the items that it did not reach.
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
