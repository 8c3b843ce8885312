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

/// A folder on a server that is reached by SFTP version 3 over SSH. Publishing can replace a file
/// atomically if the server has OpenSSH's extensions. New content is collected under a partial
/// name beside its target. An item's only time is its modification time, in whole seconds. The
/// backend resolves symbolic links itself, so that they cannot lead out of the folder; see Lookup
/// for the race that remains.
class SftpBackend final : public remote::RemoteBackend {
 public:
  /// Opens a backend without connecting; its first call to the server connects. `invalid` if the
  /// host, the user, the credential or the host key is missing. `pool` must outlive the backend.
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

  /// Calls `work(SftpRemote)` on a thread of the pool, and returns its result.
  template <class Fn>
  auto on_server(Fn work);

  std::shared_ptr<Server> server_;  ///< Shared with readers, writers and views (see `beneath`).
  std::unique_ptr<const Lookup> lookup_;
};

/// Connects and returns the fingerprint of the server's host key, in the form of
/// SftpOptions::host_key. Used when the user trusts the first key that the server shows. Sends no
/// credential. `unavailable` or `timed_out` if the server does not show a key. Blocks.
Result<std::string> host_key_of(const std::string& host, std::uint16_t port,
                                const storage::Deadlines& deadlines,
                                const storage::MayConnect& may_connect);

}  // namespace coffer::sftp
