#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>

#include "async/task_group.h"
#include "http/cors.h"
#include "http/router.h"
#include "http/server_options.h"
#include "http/trusted_proxies.h"

namespace coffer::http {

class Connection;

/// The state that all connections of one thread share. Used by this thread only.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router, TaskGroup& the_tasks);

  /// Returns the header lines that every response has: X-Content-Type-Options and the current Date.
  const std::string& common_lines();
  /// Returns a new request id. A random prefix makes ids unique in practice, even across restarts.
  std::string next_id();

  /// Updates `waiting_count`. Must be called after every change of `waiting`.
  void count_waiting() { waiting_count.store(waiting.size(), std::memory_order_relaxed); }

  const ServerOptions& options;
  const Router& router;
  TaskGroup& tasks;  ///< Those that are joined when the thread ends.
  bool access_log;   ///< As the next two, in force from now on: see LiveOptions.
  Cors cors;
  TrustedProxies proxies;
  /// Connections without a request in progress. The one that has waited longest is the first.
  std::list<Connection*> waiting;
  std::list<Connection*> busy;  ///< All other connections.
  /// The size of `waiting`, for other threads.
  std::atomic<std::size_t> waiting_count{0};
  /// How many responses clients of one network have paused, of the network with most, as of late;
  /// and the same of responses for which memory is reserved. For other threads.
  std::atomic<std::size_t> most_paused{0};
  std::atomic<std::size_t> most_paused_in_room{0};
  std::string scratch;  ///< A buffer for reuse. It is moved out while a response uses it.
  /// How far the windows of HTTP/2 streams may still grow, all together.
  std::size_t spare_window_bytes = 64 * 1024 * 1024;
  bool stopping = false;
  bool draining = false;  ///< See Server::drain.

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

}  // namespace coffer::http
