#pragma once

#include <cstdint>
#include <memory>

#include "async/pool.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/remote_backend.h"

namespace coffer::ftp {

enum class Use : std::uint8_t;
class Server;

/// A folder on an FTP server, plain or over TLS, through libcurl. What the protocol lacks:
///
/// - Nothing takes a name only if it is free. `exists` is found by looking first; between the look
///   and the rename another client may take the name, and is then replaced. Callers of one backend
///   and its views do not race.
/// - A rename replaces in one step only where the server's does. Where it refuses, and for all but
///   the last of several that replace, the old file takes a backup name first: for a moment none is
///   there.
/// - Links cannot be resolved. They are not listed, copied, measured or entered when recursing, and
///   removing a tree removes the links in it themselves; but one that is asked for by its name the
///   server may follow, wherever it leads.
/// - Content is collected under a partial name beside its target. Partial names do not show; what a
///   crash leaves of them stays on the server.
/// - Listings without MLSD give times to the minute or the day, in the server's zone, which is
///   taken for UTC; `stat` of a file asks for the exact time.
///
/// Changes are not atomic for other clients of the server, and a removal that fails halfway leaves
/// what it did not come to.
class FtpBackend final : public remote::RemoteBackend {
 public:
  /// Does not look for the server. `invalid` if the options make no sense: no host, or a control
  /// character or `..` in what is sent. `pool` must outlive the backend, its readers and writers.
  static Result<std::unique_ptr<FtpBackend>> open(FtpOptions options, Pool& pool);
  ~FtpBackend() override;

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  FtpBackend(std::shared_ptr<Server> server, Path base, Use brief, Use lasting);
  Task<std::unique_ptr<remote::Adapter>> begin(remote::Use use) override;
  void sweep_behind() override;

  std::shared_ptr<Server> server_;  ///< Shared with the views, readers and writers.
  Path base_;
  Use brief_;  ///< Views leave connections to others.
  Use lasting_;
};

}  // namespace coffer::ftp
