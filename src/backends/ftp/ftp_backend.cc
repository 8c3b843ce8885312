#include "backends/ftp/ftp_backend.h"

#include <algorithm>

#include "backends/ftp/copy.h"
#include "backends/ftp/ftp_reader.h"
#include "backends/ftp/ftp_writer.h"
#include "backends/ftp/metadata.h"
#include "backends/ftp/publish.h"
#include "backends/ftp/tree_changes.h"
#include "backends/ftp/walk.h"

namespace coffer::ftp {
namespace {

/// What is sent in a command or a URL must not end it.
bool has_control_byte(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  }
  return false;
}

Result<void> check(const FtpOptions& options) {
  if (options.host.empty() || options.port == 0) {
    return fail(ErrorCode::invalid, "An FTP server needs a host and a port.");
  }
  if (options.host.find_first_of("/@?#%\\[] ") != std::string::npos ||
      has_control_byte(options.host)) {
    return fail(ErrorCode::invalid, "The FTP server's host has a character that no host has.");
  }
  if (has_control_byte(options.user) || has_control_byte(options.password)) {
    return fail(ErrorCode::invalid, "The login of the FTP server has a control character.");
  }
  if (const auto root = Path::parse(options.root); !root) return failure_of(root);
  return {};
}

Error own_root() {
  return {ErrorCode::forbidden, "The root itself cannot be changed."};
}

}  // namespace

Result<std::unique_ptr<FtpBackend>> FtpBackend::open(FtpOptions options, Pool& pool) {
  if (auto sensible = check(options); !sensible) return failure_of(sensible);
  auto server = std::make_shared<Server>(std::move(options), pool);
  return std::unique_ptr<FtpBackend>(new FtpBackend(std::move(server), Path()));
}

FtpBackend::FtpBackend(std::shared_ptr<Server> server, Path base)
    : server_(std::move(server)), base_(std::move(base)) {}

FtpBackend::~FtpBackend() = default;

std::unique_ptr<storage::Backend> FtpBackend::beneath(const Path& folder) {
  return std::unique_ptr<FtpBackend>(new FtpBackend(server_, base_ / folder));
}

/// Runs `work(Session)` on a thread of the pool when a connection is free. What it refers to must
/// outlive the await.
template <class T, class Fn>
Task<Result<T>> FtpBackend::with_connection(Fn work, Use use) {
  auto leases = co_await server_->connections->acquire(1, use);
  if (!leases) co_return failure_of(leases);
  Connection& connection = *leases->front();
  auto job = [this, &connection, &work]() -> Result<T> {
    if (auto ready = connection.ready(); !ready) return failure_of(ready);
    return work(Session{*server_, connection});
  };
  co_return co_await server_->pool.run(std::move(job));
}

Task<Result<storage::Entry>> FtpBackend::stat(const Path& path) {
  auto work = [&](Session session) -> Result<storage::Entry> {
    auto entry = stat_item(session, base_ / path);
    if (entry) entry->name = path.name();
    return entry;
  };
  co_return co_await with_connection<storage::Entry>(std::move(work), Use::brief);
}

Task<Result<std::vector<storage::Entry>>> FtpBackend::list(const Path& folder) {
  auto work = [&](Session session) { return list_folder(session, base_ / folder); };
  co_return co_await with_connection<std::vector<storage::Entry>>(std::move(work), Use::brief);
}

Task<Result<bool>> FtpBackend::lists_all(const Path& folder) {
  auto work = [&](Session session) { return lists_all_of(session, base_ / folder); };
  co_return co_await with_connection<bool>(std::move(work), Use::brief);
}

Task<Result<std::unique_ptr<storage::Reader>>> FtpBackend::open(const Path& file) {
  auto leases = co_await server_->connections->acquire(1, Use::lasting);
  if (!leases) co_return failure_of(leases);
  Lease lease = std::move(leases->front());
  const Path path = base_ / file;
  auto work = [&]() -> Result<storage::Entry> {
    if (auto ready = lease->ready(); !ready) return failure_of(ready);
    auto entry = stat_item(Session{*server_, *lease}, path);
    if (entry) entry->name = file.name();
    return entry;
  };
  auto entry = co_await server_->pool.run(std::move(work));
  if (!entry) co_return failure_of(entry);
  if (entry->is_directory) co_return fail(ErrorCode::invalid, "This is a folder.");
  co_return std::make_unique<FtpReader>(server_, path, std::move(*entry), std::move(lease));
}

std::unique_ptr<storage::Reader> FtpBackend::open_now(const Path& /*file*/) {
  return nullptr;
}

std::optional<storage::Entry> FtpBackend::stat_now(const Path& /*path*/) {
  return std::nullopt;
}

Task<Result<std::unique_ptr<storage::Writer>>> FtpBackend::create(const Path& target,
                                                                  storage::WriteOptions options) {
  const Path path = base_ / target;
  if (target.is_root()) co_return std::unexpected(name_taken());
  co_return std::make_unique<FtpWriter>(server_, path, options);
}

Task<Result<std::vector<storage::Published>>> FtpBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes) {
  std::vector<FtpWriter*> own;
  for (const auto& writer : writers) {
    const auto finished = co_await writer->finish();
    if (!finished) co_return failure_of(finished);
    own.push_back(&dynamic_cast<FtpWriter&>(*writer));
  }
  if (std::ranges::all_of(own, &FtpWriter::is_out_of_sight)) co_return published_in_place(own);
  auto work = [&](Session session) { return publish_all(session, own, growth_limit_bytes); };
  co_return co_await with_connection<std::vector<storage::Published>>(std::move(work), Use::brief);
}

Task<Result<void>> FtpBackend::make_folder(const Path& folder) {
  auto work = [&](Session session) -> Result<void> {
    if (folder.is_root()) return std::unexpected(name_taken());
    return make_folders(session, base_ / folder);
  };
  co_return co_await with_connection<void>(std::move(work), Use::brief);
}

Task<Result<void>> FtpBackend::rename(const Path& from, const Path& to) {
  auto work = [&](Session session) -> Result<void> {
    if (from.is_root() || to.is_root()) return std::unexpected(own_root());
    return rename_item(session, base_ / from, base_ / to);
  };
  co_return co_await with_connection<void>(std::move(work), Use::brief);
}

Task<Result<storage::TreeSize>> FtpBackend::copy(const Path& from, const Path& to,
                                                 const storage::CopyOptions& options) {
  const auto staging = co_await storage::choose_staging(options, to);
  if (!staging) co_return failure_of(staging);
  const Path target = base_ / to;
  const CopyRoute route{base_ / from, target, target.parent() / Path::parse(*staging).value()};
  auto copied = co_await collect(route, options);
  if (!copied) co_return copied;
  auto shown = co_await may_show(options);
  shown = co_await end(route, std::move(shown), options);
  if (!shown) co_return failure_of(std::move(shown));
  co_return copied;
}

Task<Result<storage::TreeSize>> FtpBackend::collect(const CopyRoute& route,
                                                    const storage::CopyOptions& options) {
  auto leases = co_await server_->connections->acquire(2, Use::lasting);
  if (!leases) co_return failure_of(leases);
  auto work = [&]() -> Result<storage::TreeSize> {
    for (auto& lease : *leases) {
      if (auto ready = lease->ready(); !ready) return failure_of(ready);
    }
    return collect_copy({*server_, *leases->front()}, {*server_, *leases->back()}, route, options);
  };
  co_return co_await server_->pool.run(std::move(work));
}

Task<Result<void>> FtpBackend::end(const CopyRoute& route, Result<void> may_show,
                                   const storage::CopyOptions& options) {
  auto leases = co_await server_->connections->acquire(1, Use::brief);
  // Behind those that came first, as the copy itself.
  if (!leases) leases = co_await server_->connections->acquire(1, Use::lasting);
  if (!leases) {
    server_->discard(route.partial);
    co_return failure_of(leases);
  }
  auto work = [&] {
    return end_copy({*server_, *leases->front()}, route, std::move(may_show), options);
  };
  co_return co_await server_->pool.run(std::move(work));
}

Task<Result<storage::Removed>> FtpBackend::remove(const Path& path) {
  auto work = [&](Session session) -> Result<storage::TreeSize> {
    if (path.is_root()) return std::unexpected(own_root());
    return remove_item(session, base_ / path);
  };
  co_return co_await with_connection<storage::TreeSize>(std::move(work), Use::lasting);
}

Task<Result<storage::TreeSize>> FtpBackend::measure(const Path& path) {
  auto work = [&](Session session) { return measure_item(session, base_ / path); };
  co_return co_await with_connection<storage::TreeSize>(std::move(work), Use::lasting);
}

Task<Result<Path>> FtpBackend::canonical(const Path& path) {
  co_return path;
}

}  // namespace coffer::ftp
