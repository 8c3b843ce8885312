#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "async/pool.h"
#include "backends/remote/remote_backend.h"
#include "backends/sftp/sftp_options.h"

namespace coffer::sftp {

class Server;
class Lookup;

/// A folder on a server that is reached by SFTP version 3 over SSH. Names change in one step if the
/// server has OpenSSH's extensions; content is collected under partial names beside its target.
/// Times are kept to the second, the modification time alone. Links are resolved here; a race with
/// other writers on the server remains, see Lookup.
class SftpBackend final : public remote::RemoteBackend {
 public:
  /// Does not connect: the first call does. `invalid` if the host, the user, the credential or the
  /// host key is missing. `pool` must outlive the backend.
  static Result<std::unique_ptr<SftpBackend>> open(SftpOptions options, Pool& pool);
  ~SftpBackend() override;

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  SftpBackend(std::shared_ptr<Server> server, const Lookup& lookup);
  Task<std::unique_ptr<remote::Adapter>> begin(remote::Use use) override;
  void sweep_behind() override;

  /// Calls `work(SftpRemote)` on a thread of the pool.
  template <class Fn>
  auto on_server(Fn work);

  std::shared_ptr<Server> server_;  ///< Shared with the views, readers and writers.
  std::unique_ptr<const Lookup> lookup_;
};

/// Returns the fingerprint of a server's key, to be trusted on first use: `SHA256:…`, as
/// SftpOptions wants it. No credential is sent. `unavailable` or `timed_out`. Blocks.
Result<std::string> host_key_of(const std::string& host, std::uint16_t port,
                                const storage::Deadlines& deadlines,
                                const storage::MayConnect& may_connect);

}  // namespace coffer::sftp
