#pragma once

#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "async/task_group.h"
#include "base/error.h"
#include "http/connection.h"
#include "http/listener.h"
#include "http/transport.h"

namespace coffer::http {

/// Counts the connections of all threads. Safe from any thread.
class ConnectionCounter {
 public:
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  /// Waits until there are no connections. Returns false if there still are some after `limit`.
  bool wait_for_none(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return none_.wait_for(lock, limit, [this] { return count() == 0; });
  }

  /// Counts one connection as long as the guard exists.
  class Guard {
   public:
    explicit Guard(ConnectionCounter& connection_counter)
        : connection_counter_(&connection_counter) {
      ++connection_counter.count_;
    }
    Guard(Guard&& other) noexcept
        : connection_counter_(std::exchange(other.connection_counter_, nullptr)) {}
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (connection_counter_ && --connection_counter_->count_ == 0) connection_counter_->tell();
    }

   private:
    ConnectionCounter* connection_counter_;
  };

 private:
  void tell() {
    const std::lock_guard lock(mutex_);
    none_.notify_all();
  }

  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::condition_variable none_;
};

/// A connection that gives way when the server runs short of connections or memory.
enum class Yielding : std::uint8_t {
  waiting,         ///< It has no request in progress.
  paused,          ///< Its client has paused a response.
  paused_in_room,  ///< The same, and memory is reserved for the response.
};

/// One thread of the server: an io_context, listening sockets and the connections accepted there.
class Worker {
 public:
  /// Makes a worker close such a connection: for one that waits, a worker other than this; for one
  /// that is paused, the worker where one network has paused most. False if none has one.
  using MakeRoomBeside = std::function<bool(const Worker&, Yielding)>;

  Worker(const ServerOptions& options, const Router& router, ConnectionCounter& connection_counter,
         MakeRoomBeside make_room_beside);
  /// After `start`, the owner must call `join` before it destroys the worker.
  ~Worker() = default;

  /// Listens at a port, which speaks TLS if `tls` is not null.
  Result<void> listen(const asio::ip::tcp::endpoint& endpoint, bool first,
                      const TlsSource* tls = nullptr);
  /// Listens at the Unix socket of the options.
  Result<void> listen();
  /// Returns the port of the last call of `listen`.
  std::uint16_t port() const;
  void start();

  /// Returns how many connections can give way, as of late, besides those that were asked for; of
  /// those that paused, how many of the network that has most. Safe from any thread.
  std::size_t yielding(Yielding kind) const;
  /// Asks the thread to close the connection of this kind that has waited longest, among those that
  /// paused of the network that has most. False if `yielding` is 0. Safe from any thread.
  bool begin_make_room(Yielding kind);
  /// Asks the thread to close the connection of a guest of this account that has paused longest
  /// while it holds memory, unless `is_done`, which several workers share, says that another has
  /// closed one. Safe from any thread.
  void begin_relieve_guests(std::string account, std::shared_ptr<std::atomic<bool>> is_done);
  /// Asks the thread to use these options from now on. Safe from any thread.
  void change(LiveOptions options);

  /// Asks the thread to end each connection with its next answer.
  void drain();
  /// Asks the thread to close the listening socket and connections without a request, and to end
  /// streams whose `waits_long` is true. The future is ready when the thread has done this. At a
  /// Unix socket, a client that has connected has two more seconds to send its first request.
  std::future<void> begin_stop();
  /// Asks the thread to cut all connections. The future's value is the number of requests cut off.
  std::future<std::size_t> cut_all();
  void join();

 private:
  void run();
  bool is_local() const { return !state_.options.socket.empty(); }
  struct Listener {
    Acceptor acceptor;
    const TlsSource* tls;
  };
  Task<void> accept(Listener& listener);
  void accept_rest();
  void limit_silence();
  void take(Socket socket, const TlsSource* tls);
  bool make_room();
  bool cut_longest(Yielding kind);
  bool cut_longest_waiting();
  /// Tells which of the paused responses count.
  using Counts = std::function<bool(const Exchange&)>;
  bool cut_longest_paused(const Counts& counts, bool with_connection = false);
  std::vector<Exchange*> paused(const Counts& counts) const;
  void count_paused();
  std::size_t count_of(Yielding kind) const;
  std::atomic<std::size_t>& asked_for(Yielding kind) { return asked_[std::to_underlying(kind)]; }
  const std::atomic<std::size_t>& asked_for(Yielding kind) const {
    return asked_[std::to_underlying(kind)];
  }
  void report_accept_failure(const boost::system::error_code& error);
  Task<void> serve(Socket socket, std::string remote_address, std::shared_ptr<const TlsContext> tls,
                   ConnectionCounter::Guard guard, bool full);
  void tick();
  void arm_ticker();

  asio::io_context context_{1};
  /// Keeps the thread running, even without connections, until `cut_all` is called.
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(context_)};
  std::list<Listener> listeners_;
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      ticker_{context_.get_executor()};
  asio::steady_timer silence_{context_};  ///< For the two seconds that `begin_stop` describes.
  bool ticking_ = false;
  bool accepts_ = true;  ///< False if the last attempt to accept a connection failed.
  std::chrono::milliseconds tick_period_;
  ThreadState state_;
  /// By kind: how many connections begin_make_room has asked for that are not yet closed.
  std::array<std::atomic<std::size_t>, 3> asked_{};
  ConnectionCounter& connection_counter_;
  const MakeRoomBeside make_room_beside_;
  TaskGroup group_;
  std::thread thread_;
};

}  // namespace coffer::http
