#include "backends/ftp/server.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "async/run.h"
#include "backends/ftp/ftp_adapter.h"
#include "backends/remote/removal.h"

namespace coffer::ftp {
namespace {

constexpr std::chrono::milliseconds kTryAgainAfter(500);
constexpr int kTries = 60;

}  // namespace

void Server::discard(std::string partial) {
  const std::lock_guard lock(pending_deletes_mutex_);
  pending_deletes_.push_back(std::move(partial));
  if (std::exchange(sweeping_, true)) return;
  pool.post([server = shared_from_this()] { server->sweep(kTries); });
}

void Server::sweep(int tries_left) {
  auto lease = connections->try_acquire();
  if (!lease && tries_left > 0 && go_on(options->deadlines)) {
    pool.post_after(kTryAgainAfter,
                    [server = shared_from_this(), tries_left] { server->sweep(tries_left - 1); });
    return;
  }
  const auto pending_deletes = [&] {
    const std::lock_guard lock(pending_deletes_mutex_);
    sweeping_ = false;
    return std::exchange(pending_deletes_, {});
  }();
  Result<std::vector<Lease>> leases = fail(ErrorCode::unavailable, "No connection.");
  if (lease) leases.emplace().push_back(*std::move(lease));
  FtpAdapter adapter(shared_from_this(), {}, std::move(leases));
  for (const std::string& partial : pending_deletes) {
    const auto deleted = run(remote::delete_at(adapter, partial));
    if (deleted) continue;
    spdlog::warn("A partial file stays on an FTP server: {}", deleted.error().message);
  }
}

}  // namespace coffer::ftp
