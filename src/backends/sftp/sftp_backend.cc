#include "backends/sftp/sftp_backend.h"

#include "backends/sftp/copy.h"
#include "backends/sftp/lookup.h"
#include "backends/sftp/metadata.h"
#include "backends/sftp/publish.h"
#include "backends/sftp/removal.h"
#include "backends/sftp/server.h"
#include "backends/sftp/sftp_reader.h"
#include "backends/sftp/sftp_writer.h"
#include "backends/sftp/tree_changes.h"

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
    return fail(ErrorCode::invalid, "An SFTP server needs a connection at least.");
  }
  auto server = std::make_shared<Server>(std::move(options), pool);
  return std::unique_ptr<SftpBackend>(new SftpBackend(std::move(server), Lookup()));
}

Result<std::string> host_key_of(const std::string& host, std::uint16_t port,
                                const storage::Deadlines& deadlines,
                                const storage::MayConnect& may_connect) {
  // No user is named to the server before the login, which there is none of; libssh wants one.
  const SftpOptions options{.host = host,
                            .port = port,
                            .user = "nobody",
                            .deadlines = deadlines,
                            .may_connect = may_connect};
  const auto session = SshSession::begin(options, TimeLimit(options.opening()));
  if (!session) return failure_of(session);
  return (*session)->host_key();
}

SftpBackend::SftpBackend(std::shared_ptr<Server> server, const Lookup& lookup)
    : server_(std::move(server)), lookup_(std::make_unique<Lookup>(lookup)) {}

SftpBackend::~SftpBackend() = default;

std::unique_ptr<storage::Backend> SftpBackend::beneath(const Path& folder) {
  return std::unique_ptr<SftpBackend>(new SftpBackend(server_, lookup_->beneath(folder)));
}

std::unique_ptr<storage::Reader> SftpBackend::open_now(const Path& /*file*/) {
  return nullptr;
}

std::optional<storage::Entry> SftpBackend::stat_now(const Path& /*path*/) {
  return std::nullopt;
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

Task<Result<storage::Entry>> SftpBackend::stat(const Path& path) {
  auto work = [&](const SftpRemote& remote) { return stat_item(*lookup_, remote, path); };
  co_return co_await on_server(std::move(work));
}

Task<Result<std::vector<storage::Entry>>> SftpBackend::list(const Path& folder) {
  auto work = [&](const SftpRemote& remote) { return list_folder(*lookup_, remote, folder); };
  co_return co_await on_server(std::move(work));
}

Task<Result<bool>> SftpBackend::lists_all(const Path& folder) {
  auto work = [&](const SftpRemote& remote) { return lists_all_of(*lookup_, remote, folder); };
  co_return co_await on_server(std::move(work));
}

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

Task<Result<std::vector<storage::Published>>> SftpBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes) {
  auto work = [&] { return Publication(*server_, *lookup_, writers, growth_limit_bytes).run(); };
  co_return co_await server_->run(std::move(work));
}

Task<Result<void>> SftpBackend::make_folder(const Path& folder) {
  auto work = [&](const SftpRemote& remote) { return make_folders(*lookup_, remote, folder); };
  co_return co_await on_server(std::move(work));
}

Task<Result<void>> SftpBackend::rename(const Path& from, const Path& to) {
  auto work = [&](const SftpRemote& remote) {
    return rename_item(*server_, *lookup_, remote, from, to);
  };
  co_return co_await on_server(std::move(work));
}

Task<Result<storage::TreeSize>> SftpBackend::copy(const Path& from, const Path& to,
                                                  const storage::CopyOptions& options) {
  const auto staging = co_await storage::choose_staging(options, to);
  if (!staging) co_return failure_of(staging);
  auto work = [&](const SftpRemote& remote) {
    return collect_copy(*server_, *lookup_, remote, from, to, *staging, options);
  };
  const auto collected = co_await on_server(std::move(work));
  if (!collected) co_return failure_of(collected);
  auto shown = co_await may_show(options);
  auto end = [&] { return end_copy(*server_, *collected, std::move(shown)); };
  shown = co_await server_->run(std::move(end));
  if (!shown) co_return failure_of(std::move(shown));
  co_return collected->size;
}

Task<Result<storage::Removed>> SftpBackend::remove(const Path& path) {
  auto work = [&](const SftpRemote& remote) {
    return remove_item(*server_, *lookup_, remote, path);
  };
  co_return co_await on_server(std::move(work));
}

Task<Result<storage::TreeSize>> SftpBackend::measure(const Path& path) {
  auto work = [&](const SftpRemote& remote) { return measure_item(*lookup_, remote, path); };
  co_return co_await on_server(std::move(work));
}

Task<Result<Path>> SftpBackend::canonical(const Path& path) {
  auto work = [&](const SftpRemote& remote) { return canonical_path(*lookup_, remote, path); };
  co_return co_await on_server(std::move(work));
}

}  // namespace coffer::sftp
