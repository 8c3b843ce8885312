#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace soci {
class session;
}

namespace coffer::catalog {

/// A descriptor of its own for the socket of a connection to PostgreSQL. It never names another
/// file, whatever libpq does with its own, and keeps the socket open as long as it lives.
class ConnectionSocket {
 public:
  /// -1 inside if the connection has no socket.
  explicit ConnectionSocket(soci::session& session);
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

/// Ends calls to PostgreSQL that take too long, by shutting their socket down: libpq waits for an
/// answer without end, also from a server that was stopped or that no packet reaches any more.
/// Safe from any thread; outlives its calls.
class CallDeadlines {
 public:
  using Clock = std::chrono::steady_clock;

  CallDeadlines();
  ~CallDeadlines();

  /// One call under way, until this object goes. The socket must live as long.
  class Call {
   public:
    Call(CallDeadlines& all, const ConnectionSocket& socket, Clock::duration limit);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    /// True if its time was over, so that its socket was shut down.
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
  Call::Calls calls_;    ///< By the end of their time.
  std::jthread thread_;  ///< Last: it uses everything above.
};

}  // namespace coffer::catalog
