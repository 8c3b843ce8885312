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

/// The kind of a use of a connection.
enum class UseKind : std::uint8_t {
  brief,    ///< A few commands.
  lasting,  ///< A file is read, or a tree is walked.
  writing,  ///< A file is written. This cannot be interrupted and resumed.
};

/// A use of a connection.
struct Use {
  UseKind kind = UseKind::brief;
  bool is_limited = false;  ///< For a client that may access only a part of the backend.

  auto operator<=>(const Use&) const = default;
};

/// The right to use one connection. Its destructor gives the connection back, without blocking.
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

/// The connections to one server. Their number is bounded; it is at least two, because a copy
/// within the server reads over one connection and writes over another. A connection is kept after
/// its use, and closed when it has been idle for FtpOptions::idle_after.
///
/// These rules keep uses from blocking each other:
/// - If there are at least three connections, one is reserved for brief uses.
/// - Of the other connections, one is reserved for lasting uses, because a writer may wait for its
///   reader.
/// - Limited uses get at most half of the connections, because their clients decide how many there
///   are and how long they last. They also leave two connections to a copy by other clients.
/// - The first limited lasting use and the first limited writing use are exempt from the previous
///   rule, so that a copy by a limited client can finish.
///
/// Safe from any thread. Leases must not outlive it. Must be owned by a shared pointer.
class Connections : public std::enable_shared_from_this<Connections> {
 public:
  /// `pool` must outlive it.
  Connections(std::shared_ptr<const FtpOptions> options, Pool& pool);
  ~Connections();

  /// Waits until a connection is free. Requests for equal uses are served in the order of arrival.
  /// The connection need not be connected yet. `refused` if none becomes free in time: within the
  /// deadline for a reply if the use is brief, otherwise within FtpOptions::wait_for_others.
  Task<Result<Lease>> acquire(Use use);
  /// Returns a free connection for a lasting use, or nullopt if there is none or if a request that
  /// is not limited is waiting.
  std::optional<Lease> try_acquire();

  /// Marks the lease as unused for the moment. If other requests wait, its connection may be taken
  /// away after two seconds. `lease` must not move until `wake`.
  void rest(Lease& lease);
  /// Ends the rest of a lease. Returns false if its connection was taken away.
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
  /// Counts the connections in use for these kinds, or those of limited uses only.
  std::size_t in_use(std::initializer_list<UseKind> kinds, bool is_limited) const;
  std::size_t in_use() const;
  bool is_over_share(Use use) const;
  bool fits(Use use) const;
  std::optional<Lease> take(Use use);
  std::unique_ptr<Connection> take_one();
  void serve_waiters();
  /// Takes the connection away from the reader that has rested longest, if that is long enough.
  /// Returns false if there is no such reader.
  bool take_from_a_rest(bool of_limited_only);
  bool try_to_serve(Waiter& waiter);
  void drop(std::unique_ptr<Connection> connection);
  void close_idle_later();
  void close_idle();

  const std::shared_ptr<const FtpOptions> options_;
  Pool& pool_;
  const std::size_t limit_;
  const std::size_t most_lasting_;  ///< The limit for lasting and writing uses together.
  std::mutex mutex_;
  std::map<Use, std::size_t> in_use_;
  std::vector<Idle> idle_;  ///< Those that have been idle longest come first.
  std::list<Waiter*> waiters_;
  std::vector<Resting> resting_;  ///< Those that have rested longest come first.
  asio::steady_timer timer_;
  bool timer_runs_ = false;
};

}  // namespace coffer::ftp
