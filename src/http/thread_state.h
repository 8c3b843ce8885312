#pragma once

#include <list>
#include <string>
#include <string_view>

#include "http/cors.h"
#include "http/router.h"
#include "http/server.h"

namespace coffer::http {

class Connection;

/// What the connections of one thread share; only that thread touches it.
struct ThreadState {
  ThreadState(const ServerOptions& the_options, const Router& the_router, const Cors& the_cors);

  /// The header lines that every response has alike: Date, made once a second, and nosniff.
  const std::string& common_lines();
  /// A request's id: unique among all requests of all runs for any practical purpose.
  std::string next_id();

  const ServerOptions& options;
  const Router& router;
  const Cors& cors;
  std::list<Connection*> connections;
  std::string scratch;  ///< For putting responses together; whoever waits takes it along.
  bool stopping = false;

 private:
  std::string common_lines_;
  std::int64_t common_lines_second_ = 0;
  std::string id_prefix_;
  std::uint64_t id_count_ = 0;
};

}  // namespace coffer::http
