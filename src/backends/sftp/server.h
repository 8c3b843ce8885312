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

/// The state that a backend, its views, readers and writers share.
class Server {
 public:
  Server(SftpOptions options, Pool& pool)
      : deadlines_(options.deadlines), connections_(std::move(options)), pool_(pool) {}

  Connections& connections() { return connections_; }
  const storage::Deadlines& deadlines() const { return deadlines_; }
  remote::SharedState& shared() { return shared_; }

  /// Calls `work()` on a thread of the pool, with a limit of threads for this server. One thread
  /// finds out for all whether the server answers: two that wait for a silent server would occupy
  /// all threads of an account.
  template <class Fn>
  Task<std::invoke_result_t<Fn>> run(Fn work) {
    const auto pass = co_await gate_.enter();
    const Finder finder = co_await find_out();
    co_return co_await pool_.run(std::move(work));
  }

  /// The same in the background; `work` must not throw. Keeps the server alive until it is done.
  template <class Fn>
  static void run_background(std::shared_ptr<Server> server, Fn work) {
    auto& gate = server->gate_;
    gate.enter_then([server = std::move(server), work = std::move(work)](Gate::Pass pass) mutable {
      auto& pool = server->pool_;
      pool.post(
          [server = std::move(server), work = std::move(work), pass = std::move(pass)]() mutable {
            // The place is left before the gate may go.
            const auto kept = std::move(server);
            const auto left = std::move(pass);
            work();
          });
    });
  }

  /// Calls `work(SftpRemote)`, and again over other connections while they break, for steps that
  /// must not stay half done. `work` must be repeatable. The number of attempts is bounded.
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
  /// As many as a transfer copies files at once: with four, small files come half as fast from a
  /// server 20 ms away.
  static constexpr std::size_t kMaxThreads = 8;
  static constexpr int kTries = 3;

  struct EndFinding {
    void operator()(Connections* connections) const { connections->end_finding_out(); }
  };
  /// Set for the caller that finds out for all, as long as its work lasts; null for others.
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
