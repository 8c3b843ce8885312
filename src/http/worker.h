#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <optional>
#include <thread>

#include "async/task_group.h"
#include "http/census.h"
#include "http/listener.h"
#include "http/thread_state.h"
#include "http/transport.h"

namespace coffer::http {

/// One thread of the server: an io_context, a listening socket and the connections accepted there.
class Worker {
 public:
  Worker(const ServerOptions& options, const Router& router, const Cors& cors, Census& census);
  /// The thread must have been joined.
  ~Worker() = default;

  Result<void> listen(const asio::ip::tcp::endpoint& endpoint, bool first);
  std::uint16_t port() const;
  void start();

  /// Closes the listening socket and the connections without a request. The future is ready then.
  std::future<void> begin_stop();
  /// Cuts what is left and tells how many requests were running.
  std::future<std::size_t> cut_all();
  void join();

 private:
  void run();
  Task<void> accept();
  void take(Socket socket);
  Task<void> serve(Socket socket, std::string remote_address, Census::Ticket ticket, bool full);
  void tick();
  void arm_ticker();

  asio::io_context context_{1};
  /// Keeps the thread until `cut_all`, also when no connection is left before.
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(context_)};
  std::optional<Acceptor> acceptor_;
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      ticker_{context_.get_executor()};
  bool ticking_ = false;
  std::chrono::milliseconds tick_period_;
  ThreadState state_;
  Census& census_;
  TaskGroup group_;
  std::thread thread_;
};

}  // namespace coffer::http
