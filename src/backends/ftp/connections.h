#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "backends/ftp/connection.h"

namespace coffer::ftp {

class Connections;

/// How long a user keeps a connection: for a few commands, or while a file or a tree goes over
/// it. The limited ones are for one who may reach a part of the place only.
enum class Use : std::uint8_t { brief, lasting, limited_brief, limited_lasting };

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

/// The connections of one server: at most so many, kept for the next use and closed when they are
/// not used for long. Lasting uses leave one of three or more for brief ones. Limited ones take
/// half at most, and leave a copy of others the two that it needs, but one of them may take what it
/// needs itself: how long they last, and how many they are, is up to their clients. Safe from any
/// thread. Leases must not outlive it. Held by a shared pointer.
class Connections : public std::enable_shared_from_this<Connections> {
 public:
  /// `pool` must outlive it.
  Connections(std::shared_ptr<const FtpOptions> options, Pool& pool);
  ~Connections();

  /// Waits until `count` connections are free at once; first come, first served among requests
  /// for the same use. `refused` when none came free: for a brief use within the deadline for a
  /// reply, for a lasting one within FtpOptions::wait_for_others. They need not be connected yet.
  Task<Result<std::vector<Lease>>> acquire(std::size_t count, Use use);
  /// One for a lasting use, if it is free now and nothing waits that it could be for.
  std::optional<Lease> try_acquire();

  /// The holder of `lease` does not use it for now, but would like to go on with it. When it is not
  /// woken soon, others that wait may take it away. `lease` must stay where it is until it is
  /// woken.
  void rest(Lease& lease);
  /// The holder goes on; false if there is nothing to go on with.
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
  void released(Use use);
  bool is_over_share(std::size_t count, Use use) const;
  bool fits(std::size_t count, Use use) const;
  std::optional<std::vector<Lease>> take(std::size_t count, Use use);
  std::unique_ptr<Connection> take_one();
  void serve_waiters();
  bool take_from_a_rest();
  bool try_to_serve(Waiter& waiter);
  void drop(std::unique_ptr<Connection> connection);
  void close_idle_later();
  void close_idle();

  const std::shared_ptr<const FtpOptions> options_;
  Pool& pool_;
  const std::size_t limit_;
  std::mutex mutex_;
  std::size_t in_use_ = 0;
  std::size_t lasting_ = 0;  ///< Of those in use; limited ones too.
  std::size_t limited_ = 0;  ///< Of those in use, brief or lasting.
  std::size_t limited_lasting_ = 0;
  std::vector<Idle> idle_;  ///< The last one given back last.
  std::list<Waiter*> waiters_;
  std::vector<Resting> resting_;  ///< The longest first.
  asio::steady_timer timer_;
  bool timer_runs_ = false;
};

}  // namespace coffer::ftp
