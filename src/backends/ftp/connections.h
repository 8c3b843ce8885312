#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "backends/ftp/connection.h"

namespace coffer::ftp {

class Connections;

/// The time for which a connection is needed: for a few commands, for a file that is read or a tree
/// that is walked, or for a file that is written, which cannot be interrupted.
enum class Length : std::uint8_t { brief, lasting, writing };

/// A use of a connection.
struct Use {
  Length length = Length::brief;
  bool is_limited = false;  ///< By a client who may reach a part of the place only.

  auto operator<=>(const Use&) const = default;
};

/// The right to use one connection; gives it back when it ends, which never blocks.
class Lease {
 public:
  Lease() = default;
  Lease(Connections& home, std::unique_ptr<Connection> connection, Use use)
      : connection_(connection.release(), {&home, use}) {}

  explicit operator bool() const { return connection_ != nullptr; }
  Connection& operator*() const { return *connection_; }
  Connection* operator->() const { return connection_.get(); }
  void give_back() { connection_.reset(); }

 private:
  friend class Connections;
  struct GiveBack {
    Connections* home;
    Use use;
    void operator()(Connection* connection) const;
  };
  std::unique_ptr<Connection, GiveBack> connection_;
};

/// The connections of one server: a bounded number, kept for the next use and closed after a time
/// without one. A copy within the server reads over one and writes over another, so there are at
/// least two.
///
/// Uses that are not brief leave one of three or more connections to brief ones, and writing leaves
/// one of the others to reading, since a writer may wait for its reader. Limited uses take half at
/// most, and leave two to a copy of others, since their clients decide how many they are and how
/// long they take; but one limited reader and one limited writer may always be at work, so that a
/// limited copy comes to its end. Safe from any thread. Leases must not outlive it. Held by a
/// shared pointer.
class Connections : public std::enable_shared_from_this<Connections> {
 public:
  /// `pool` must outlive it.
  Connections(std::shared_ptr<const FtpOptions> options, Pool& pool);
  ~Connections();

  /// Waits until a connection is free; first come, first served among requests for the same use.
  /// `refused` when none came free: for a brief use within the deadline for a reply, for another
  /// within FtpOptions::wait_for_others. It need not be connected yet.
  Task<Result<Lease>> acquire(Use use);
  /// One for a lasting use, if it is free now and no request waits that it could be for.
  std::optional<Lease> try_acquire();

  /// Marks a lease as not in use for now. When others wait and `wake` does not come soon, its
  /// connection may be taken away. `lease` must stay where it is until `wake`.
  void rest(Lease& lease);
  /// Takes the lease into use again; false if its connection was taken away.
  bool wake(Lease& lease);

 private:
  friend class Lease;
  struct Waiter;
  struct Resting {
    Lease* lease;
    std::chrono::steady_clock::time_point since;
  };
  struct Idle {
    std::unique_ptr<Connection> connection;
    std::chrono::steady_clock::time_point since;
  };

  void give_back(std::unique_ptr<Connection> connection, Use use);
  /// The number of connections in use for these lengths, by anyone or by limited uses alone.
  std::size_t in_use(std::initializer_list<Length> lengths, bool is_limited) const;
  std::size_t in_use() const;
  bool is_over_share(Use use) const;
  bool fits(Use use) const;
  std::optional<Lease> take(Use use);
  std::unique_ptr<Connection> take_one();
  void serve_waiters();
  /// Takes a connection away from a reader that has rested for long; false if there is none.
  bool take_from_a_rest(bool of_limited_only);
  bool try_to_serve(Waiter& waiter);
  void drop(std::unique_ptr<Connection> connection);
  void close_idle_later();
  void close_idle();

  const std::shared_ptr<const FtpOptions> options_;
  Pool& pool_;
  const std::size_t limit_;
  const std::size_t most_lasting_;  ///< The limit for uses that are not brief.
  std::mutex mutex_;
  std::map<Use, std::size_t> in_use_;
  std::vector<Idle> idle_;  ///< In the order in which they were given back.
  std::list<Waiter*> waiters_;
  std::vector<Resting> resting_;  ///< Those that rest longest come first.
  asio::steady_timer timer_;
  bool timer_runs_ = false;
};

}  // namespace coffer::ftp
