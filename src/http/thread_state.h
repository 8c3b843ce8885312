#pragma once

#include <atomic>
#include <list>
#include <string>
#include <string_view>

#include "http/cors.h"
#include "http/router.h"
#include "http/server_options.h"

namespace coffer::http {

class Connection;

/// The state that the connections of one thread share. Used by that thread only.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router, const Cors& the_cors);

  /// The header lines of every response: Date, renewed once a second, and nosniff.
  const std::string& common_lines();
  /// A request's id, unique among the requests of all runs for any practical purpose.
  std::string next_id();

  /// To be called after a change of `waiting`.
  void count_waiting() { waiting_count.store(waiting.size(), std::memory_order_relaxed); }

  const ServerOptions& options;
  const Router& router;
  const Cors& cors;
  const TrustedProxies& proxies;
  /// Connections without a request under way, the longest waiting first, and all others.
  std::list<Connection*> waiting;
  std::list<Connection*> busy;
  /// The size of `waiting`, for other threads.
  std::atomic<std::size_t> waiting_count{0};
  std::string scratch;  ///< A buffer for responses; a coroutine that waits moves it out.
  bool stopping = false;

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

}  // namespace coffer::http
