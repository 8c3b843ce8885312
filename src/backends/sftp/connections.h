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

/// The connections to one server. New connections are made as needed, up to
/// SftpOptions::max_connections. After that, several callers share a connection. A connection that
/// was unused for SftpOptions::keep_idle is closed. Safe from any thread.
class Connections {
 public:
  explicit Connections(SftpOptions options) : options_(std::move(options)) {}

  struct Lease {
    std::shared_ptr<Connection> connection;
    bool is_reused = false;  ///< True if the connection was made for an earlier lease.
  };
  /// Returns the connection with the fewest users, or a new one. Blocks while one is made.
  Result<Lease> lease();
  /// Returns true if it is unknown whether the server answers: no connection is alive, and in the
  /// last two seconds no attempt to connect has timed out or taken over a second to fail. The next
  /// call of `lease` then connects.
  bool is_unknown();
  /// Must be called before `lease` while `is_unknown` is true, so that only one caller tries to
  /// connect. `alone` is the only pass of a gate at which the other callers wait. Keeps the pass
  /// until an attempt to connect has ended or `end_finding_out` is called.
  void begin_finding_out(Gate::Pass alone);
  void end_finding_out();

  /// Returns `work(connection)`. If a reused connection proves broken before any reply arrives,
  /// calls `work` once more with another connection. So the first request of `work` must be
  /// repeatable.
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
  /// True if the first connection is being made. Other callers wait until that attempt has ended.
  bool is_finding_out() const;
  bool is_silent() const;
  void drop_dead();
  void drop_idle(std::stop_token stop);

  const SftpOptions options_;
  std::mutex mutex_;
  std::condition_variable made_;
  std::condition_variable_any idle_check_;
  std::vector<std::shared_ptr<Slot>> slots_;
  /// The error of the last attempt to connect, if the attempt took long to fail. Until
  /// `silent_until_`, `lease` returns this error at once instead of connecting again.
  std::optional<Error> silence_;
  std::chrono::steady_clock::time_point silent_until_;
  std::optional<Gate::Pass> finding_out_;
  std::jthread closer_;  ///< Declared last: the thread must end before other members are destroyed.
};

}  // namespace coffer::sftp
