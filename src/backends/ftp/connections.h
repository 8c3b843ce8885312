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

enum class UseKind : std::uint8_t {
  brief,    ///< A few commands.
  lasting,  ///< A file is read, or a tree is walked.
  writing,  ///< A file is written. An upload cannot be interrupted and resumed.
};

struct Use {
  UseKind kind = UseKind::brief;
  bool is_limited = false;  ///< True for clients that may access only a part of the backend.

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

/// The connections to one server, at most FtpOptions::connections of them. This maximum is at least
/// two, because a copy within the server reads over one connection and writes over another. A
/// connection is kept after its use, and closed when it has been idle for FtpOptions::idle_after.
///
/// These rules keep uses from blocking each other:
/// - If the maximum is at least three, one connection is reserved for brief uses.
/// - Of the other connections, writing uses leave one for lasting uses: the writer of a copy waits
///   for data from its reader, so writers must not have all connections.
/// - Limited uses (Use::is_limited) get at most half of the connections, because one client may
///   start many long uses. They also leave two connections for a copy by other clients.
/// - The rule for limited uses does not apply to the first lasting one and the first writing one,
///   so that a limited client can copy a file.
///
/// Safe from any thread. Leases must not outlive this object. A shared_ptr must own this object.
class Connections : public std::enable_shared_from_this<Connections> {
 public:
  /// `pool` must outlive this object.
  Connections(std::shared_ptr<const FtpOptions> options, Pool& pool);
  ~Connections();

  /// Waits until a connection is free, and returns it, possibly not logged in yet. Requests for the
  /// same use are served in the order of arrival. `refused` if no connection becomes free in
  /// time. A brief use waits at most Deadlines::reply, other uses at most
  /// FtpOptions::wait_for_others.
  Task<Result<Lease>> acquire(Use use);
  /// Returns a connection for a lasting use, without waiting. Returns nullopt if no connection is
  /// free, or if another request waits that is not limited (Use::is_limited).
  std::optional<Lease> try_acquire();

  /// Marks a lease as resting: its holder does not use the connection at the moment. After two
  /// seconds the connection may be taken away for another request. The object `lease` must not be
  /// moved until `wake` is called.
  void rest(Lease& lease);
  /// Ends the rest of a lease. Returns false if the connection was taken away.
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
  /// Counts the connections in use for these kinds. If `is_limited`, counts only limited uses.
  std::size_t in_use(std::initializer_list<UseKind> kinds, bool is_limited) const;
  std::size_t in_use() const;
  bool is_over_share(Use use) const;
  bool fits(Use use) const;
  std::optional<Lease> take(Use use);
  std::unique_ptr<Connection> take_one();
  void serve_waiters();
  /// Takes the connection away from the lease that has rested longest. Returns false if no lease
  /// has rested for two seconds. If `of_limited_only`, considers only leases for limited uses.
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
  std::vector<Idle> idle_;  ///< The connection that has been idle longest comes first.
  std::list<Waiter*> waiters_;
  std::vector<Resting> resting_;  ///< The lease that has rested longest comes first.
  asio::steady_timer timer_;
  bool timer_runs_ = false;
};

}  // namespace coffer::ftp
