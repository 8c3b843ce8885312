#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "async/gate.h"
#include "backends/sftp/connection.h"
#include "backends/sftp/sftp_options.h"

namespace coffer::sftp {

/// The connections to one server: made when needed up to a limit, shared when all are in use, and
/// closed when unused for a while. Safe from any thread.
class Connections {
 public:
  explicit Connections(SftpOptions options) : options_(std::move(options)) {}

  /// Returns a connection, and whether it is one that existed before. Blocks while it is made.
  struct Lease {
    std::shared_ptr<Connection> connection;
    bool is_reused = false;
  };
  Result<Lease> lease();
  /// True if `lease` would have to find out whether the server answers.
  bool is_unknown();
  /// Lets the holder of `alone` find that out for the others, until it is known or
  /// end_finding_out is called.
  void begin_finding_out(Gate::Pass alone);
  void end_finding_out();

  /// Calls `work(connection)`. Calls it once more with a new connection if an idle one turned out
  /// to be dead before the server answered, so the first request of `work` must be repeatable.
  template <class Fn>
  auto with(Fn work) -> decltype(work(std::declval<std::shared_ptr<Connection>>())) {
    for (bool may_repeat = true;; may_repeat = false) {
      TRY(auto leased, lease());
      const auto replies = leased.connection->replies();
      auto result = work(leased.connection);
      const bool was_dead = !result && result.error().code == ErrorCode::unavailable &&
                            leased.is_reused && leased.connection->replies() == replies &&
                            !leased.connection->is_alive();
      if (!was_dead || !may_repeat) return result;
    }
  }

 private:
  struct Slot {
    std::shared_ptr<Connection> connection;  ///< Null while it is being made.
    std::chrono::steady_clock::time_point used_at;
  };
  class Making;
  std::optional<Lease> take_free();
  Result<Lease> make(std::unique_lock<std::mutex>& lock);
  /// The first connection is being made, and others wait for it.
  bool is_finding_out() const;
  bool is_silent() const;
  void drop_dead();
  void drop_idle(std::stop_token stop);

  const SftpOptions options_;
  std::mutex mutex_;
  std::condition_variable made_;
  std::condition_variable_any idle_check_;
  std::vector<std::shared_ptr<Slot>> slots_;
  /// The error of the last attempt to connect, for as long as others must not try again: a server
  /// that is silent, or slow to refuse, would make each of them wait as long.
  std::optional<Error> silence_;
  std::chrono::steady_clock::time_point silent_until_;
  std::optional<Gate::Pass> finding_out_;
  std::jthread closer_;  ///< Last, so that it ends first.
};

}  // namespace coffer::sftp
