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

/// What the connections of one thread share; only that thread touches it.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router, const Cors& the_cors);

  /// The header lines that every response has alike: Date, made once a second, and nosniff.
  const std::string& common_lines();
  /// A request's id: unique among all requests of all runs for any practical purpose.
  std::string next_id();

  /// After a change of `waiting`.
  void count_waiting() { waiting_count.store(waiting.size(), std::memory_order_relaxed); }

  const ServerOptions& options;
  const Router& router;
  const Cors& cors;
  const TrustedProxies& proxies;
  /// Connections without a request under way, the one that waits longest first, and the others.
  std::list<Connection*> waiting;
  std::list<Connection*> busy;
  /// Of `waiting`, for other threads too.
  std::atomic<std::size_t> waiting_count{0};
  std::string scratch;  ///< For putting responses together; a coroutine that waits takes it along.
  bool stopping = false;

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

}  // namespace coffer::http
