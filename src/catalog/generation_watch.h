#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "catalog/call_deadlines.h"
#include "catalog/generation.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// Lets this process use rows of a PostgreSQL database that it has read, without asking each time
/// whether another process changed them. A thread reads the generations on a connection of its own,
/// five times a second while `value` is called. A generation's value may be relied on for
/// `kHolds`, counted from the moment before it was asked for. So whoever changes rows of a
/// generation and then waits for `kWaitOut` knows that no process uses the old rows any more; no
/// clock is compared with another. Safe from any thread.
class GenerationWatch {
 public:
  static constexpr std::chrono::milliseconds kHolds{500};
  static constexpr std::chrono::milliseconds kWaitOut{550};

  /// Generations are known while the run of this process, `node`, is recorded: who ends it does not
  /// wait for what it remembers. If `follows_clock`, the thread reads the generations also while
  /// nobody asks, and makes the program's clock follow the database's (see follow_clock).
  GenerationWatch(Address address, std::string node, bool follows_clock);
  ~GenerationWatch();

  /// Returns the generation's value; nullopt while it is not known. Does not block.
  std::optional<std::uint64_t> value(Generation generation);
  /// Forgets all values. Call it when this process has changed rows of a generation.
  void forget();

 private:
  /// Goes on while the machine is suspended (CLOCK_BOOTTIME).
  struct Clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;
    static time_point now();
  };
  struct Read {
    Clock::time_point sent;
    bool has_run = false;
    std::array<std::int64_t, kGenerations> values{};
    Timestamp database_time{};
  };

  void run(const std::stop_token& stop);
  void take(const Read& read);
  std::optional<Read> read();

  const Address address_;
  const std::string node_;
  const bool follows_clock_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::array<std::int64_t, kGenerations> values_{};
  Clock::time_point valid_until_{};
  std::uint64_t forgotten_ = 0;  ///< Counts the calls of `forget`.
  bool is_wanted_ = false;       ///< `value` was called since the last read began.
  // Of the thread.
  CallDeadlines deadlines_;
  std::unique_ptr<sql::Connection> session_;
  std::optional<ConnectionSocket> socket_;
  std::jthread thread_;  ///< Last, since it uses all members above.
};

}  // namespace coffer::catalog
