#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "async/gate.h"
#include "async/pool.h"
#include "backends/remote/adapter.h"
#include "backends/sftp/connections.h"
#include "backends/sftp/sftp_remote.h"

namespace coffer::sftp {

/// The state for one server. A backend and its views, readers and writers share this object.
class Server {
 public:
  Server(SftpOptions options, Pool& pool)
      : deadlines_(options.deadlines), connections_(std::move(options)), pool_(pool) {}

  Connections& connections() { return connections_; }
  const storage::Deadlines& deadlines() const { return deadlines_; }
  remote::SharedState& shared() { return shared_; }

  /// Calls `work()` on a thread of the pool, and returns its result. At most `kMaxThreads` calls
  /// run at once. While it is unknown whether the server answers, only one call runs; the others
  /// wait without a thread. So a server that does not answer occupies only one thread.
  template <class Fn>
  Task<std::invoke_result_t<Fn>> run(Fn work) {
    const auto pass = co_await gate_.enter();
    const Finder finder = co_await find_out();
    co_return co_await pool_.run(std::move(work));
  }

  /// Calls `work()` on a thread of the pool, without waiting for its end. Such calls count towards
  /// `kMaxThreads`. Keeps `server` alive until `work` has ended. `work` must not throw.
  template <class Fn>
  static void run_background(std::shared_ptr<Server> server, Fn work) {
    auto& gate = server->gate_;
    gate.enter_then([server = std::move(server), work = std::move(work)](Gate::Pass pass) mutable {
      auto& pool = server->pool_;
      pool.post(
          [server = std::move(server), work = std::move(work), pass = std::move(pass)]() mutable {
            // The pass is destroyed before the server, which owns the gate.
            const auto kept = std::move(server);
            const auto left = std::move(pass);
            work();
          });
    });
  }

  /// Returns `work(SftpRemote)`. If the connection breaks, calls `work` again over another one, a
  /// few times. Use it if `work` must not stay half done. `work` must be repeatable.
  template <class Fn>
  auto retry_on_new_connection(Fn work) -> std::invoke_result_t<Fn, const SftpRemote&> {
    const auto on_connection = [&](const auto& connection) { return work(SftpRemote(connection)); };
    auto result = connections_.with(on_connection);
    for (int tries = 1; tries < kTries && !result && remote::is_outage(result.error()); ++tries) {
      result = connections_.with(on_connection);
    }
    return result;
  }

 private:
  /// The limit of threads for this server. It equals the number of files that a transfer copies at
  /// once. With four threads, small files from a server 20 ms away arrive at half the speed.
  static constexpr std::size_t kMaxThreads = 8;
  static constexpr int kTries = 3;

  struct EndFinding {
    void operator()(Connections* connections) const { connections->end_finding_out(); }
  };
  /// Calls `end_finding_out` when it is destroyed. Belongs to the one caller that finds out whether
  /// the server answers; null for the other callers.
  using Finder = std::unique_ptr<Connections, EndFinding>;
  Task<Finder> find_out() {
    if (!connections_.is_unknown()) co_return nullptr;
    auto alone = co_await finding_out_.enter();
    if (!connections_.is_unknown()) co_return nullptr;
    connections_.begin_finding_out(std::move(alone));
    co_return Finder(&connections_);
  }

  const storage::Deadlines deadlines_;
  Gate finding_out_{1};
  Connections connections_;
  Pool& pool_;
  Gate gate_{kMaxThreads};
  remote::SharedState shared_;
};

}  // namespace coffer::sftp
