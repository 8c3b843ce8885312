#pragma once

#include <cstdint>
#include <memory>

#include "async/pool.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::ftp {

class Server;

/// A folder on an FTP server, plain or over TLS, through libcurl. The protocol has limits:
///
/// - No command takes a name only if it is free. `exists` is found by looking first; another client
/// may take the name between the look and the rename, and is then replaced. Callers of one backend
/// and its views do not race.
/// - A rename replaces in one step only if the server's does. If the server refuses, and for all
/// but the last of several replacements, the old file is renamed to a backup name first: for a
/// moment the name is free.
/// - Links cannot be resolved. They are not listed, measured or entered in recursions, and removing
/// a tree removes the links in it themselves; but the server may follow a link that is asked for by
/// its name, wherever it leads.
/// - No command copies, so that `copies` is false.
/// - Content is collected under a partial name beside its target. Partial names are not shown;
/// those that a crash leaves stay on the server.
/// - Listings without MLSD give times to the minute or the day, in the server's zone, which is
/// taken for UTC; `stat` of a file asks for the exact time.
///
/// Changes are not atomic for other clients of the server, and a removal that fails halfway leaves
/// the items that it did not reach.
class FtpBackend final : public remote::RemoteBackend {
 public:
  /// Does not connect. `invalid` for options without a host, or with a control character or `..`.
  /// `pool` must outlive the backend, its readers and writers.
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
  const bool is_limited_;  ///< Views leave connections to others.
};

}  // namespace coffer::ftp
