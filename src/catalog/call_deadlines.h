#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace coffer::catalog {

/// Owns a duplicate of the socket descriptor of a connection to PostgreSQL. The duplicate stays
/// valid when libpq closes its own descriptor.
class ConnectionSocket {
 public:
  /// Duplicates `socket`; the descriptor is -1 if that is no descriptor.
  explicit ConnectionSocket(int socket);
  ~ConnectionSocket();
  ConnectionSocket(ConnectionSocket&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  ConnectionSocket& operator=(ConnectionSocket&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }

  int descriptor() const { return file_; }

 private:
  int file_;
};

/// Ends each call to PostgreSQL that misses its deadline: shuts down the connection's socket. libpq
/// alone would wait forever for a PostgreSQL server that is suspended or cannot be reached. Safe
/// from any thread. Must outlive all Call objects.
class CallDeadlines {
 public:
  using Clock = std::chrono::steady_clock;

  CallDeadlines();
  ~CallDeadlines();

  /// One call: it begins and ends with this object. The socket must outlive the object.
  class Call {
   public:
    Call(CallDeadlines& all, const ConnectionSocket& socket, Clock::duration limit);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    /// Returns true if the call missed its deadline and its socket was shut down.
    bool expired() const;

   private:
    friend class CallDeadlines;
    struct State {
      int socket;
      bool is_over = false;
    };
    using Calls = std::multimap<Clock::time_point, State>;
    CallDeadlines& all_;
    Calls::iterator place_;
  };

 private:
  void run(const std::stop_token& stop);
  Call::Calls::iterator next();

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Call::Calls calls_;    ///< Sorted by deadline.
  std::jthread thread_;  ///< Declared last, since it uses all members above.
};

}  // namespace coffer::catalog
