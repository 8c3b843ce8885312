#include "backends/sftp/sftp_backend.h"

#include "backends/sftp/lookup.h"
#include "backends/sftp/sftp_adapter.h"
#include "backends/sftp/sftp_reader.h"
#include "backends/sftp/sftp_writer.h"

namespace coffer::sftp {

Result<std::unique_ptr<SftpBackend>> SftpBackend::open(SftpOptions options, Pool& pool) {
  const auto& [password, private_key, passphrase] = options.credential;
  if (options.host.empty() || options.user.empty()) {
    return fail(ErrorCode::invalid, "An SFTP server needs a host and a user.");
  }
  if (password.empty() && private_key.empty()) {
    return fail(ErrorCode::invalid, "An SFTP server needs a password or a private key.");
  }
  if (!options.host_key.starts_with("SHA256:")) {
    return fail(ErrorCode::invalid, "An SFTP server needs the fingerprint of its host key.");
  }
  if (options.max_connections == 0) {
    return fail(ErrorCode::invalid, "An SFTP server needs at least one connection.");
  }
  auto server = std::make_shared<Server>(std::move(options), pool);
  return std::unique_ptr<SftpBackend>(new SftpBackend(std::move(server), Lookup()));
}

Result<std::string> host_key_of(const std::string& host, std::uint16_t port,
                                const storage::Deadlines& deadlines,
                                const storage::MayConnect& may_connect) {
  // The server learns no user, since there is no login; libssh needs one.
  const SftpOptions options{.host = host,
                            .port = port,
                            .user = "nobody",
                            .deadlines = deadlines,
                            .may_connect = may_connect};
  TRY(const auto session, SshSession::begin(options, TimeLimit(options.opening())));
  return session->host_key();
}

SftpBackend::SftpBackend(std::shared_ptr<Server> server, const Lookup& lookup)
    : server_(std::move(server)), lookup_(std::make_unique<Lookup>(lookup)) {}

SftpBackend::~SftpBackend() = default;

std::unique_ptr<storage::Backend> SftpBackend::beneath(const Path& folder) {
  return std::unique_ptr<SftpBackend>(new SftpBackend(server_, lookup_->beneath(folder)));
}

Task<std::unique_ptr<remote::Adapter>> SftpBackend::begin(remote::Use /*use*/) {
  co_return std::make_unique<SftpAdapter>(server_, *lookup_);
}

void SftpBackend::sweep_behind() {
  sftp::sweep_behind(server_);
}

template <class Fn>
auto SftpBackend::on_server(Fn work) {
  return server_->run([this, work = std::move(work)] {
    return server_->connections().with([&](const std::shared_ptr<Connection>& connection) {
      return work(SftpRemote(connection));
    });
  });
}

// The work refers to the arguments, which live in the coroutine or outlive its await.

Task<Result<std::unique_ptr<storage::Reader>>> SftpBackend::open(const Path& file) {
  auto work = [&](const SftpRemote& remote) { return open_file(server_, *lookup_, remote, file); };
  co_return co_await on_server(std::move(work));
}

Task<Result<std::unique_ptr<storage::Writer>>> SftpBackend::create(const Path& target,
                                                                   storage::WriteOptions options) {
  auto work = [&](const SftpRemote& remote) {
    return begin_file(server_, *lookup_, remote, target, options);
  };
  co_return co_await on_server(std::move(work));
}

Task<Result<Path>> SftpBackend::canonical(const Path& path) {
  auto work = [&](const SftpRemote& remote) { return lookup_->canonical(remote, path); };
  co_return co_await on_server(std::move(work));
}

}  // namespace coffer::sftp
