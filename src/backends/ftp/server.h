#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "async/pool.h"
#include "backends/ftp/connections.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/adapter.h"

namespace coffer::ftp {

/// A behaviour of the server that has to be found out.
enum class Does : std::uint8_t { unknown, yes, no };

/// The state that a backend, its views, readers and writers share. Safe from any thread.
class Server {
 public:
  Server(FtpOptions chosen, Pool& chosen_pool)
      : options(std::make_shared<const FtpOptions>(std::move(chosen))),
        pool(chosen_pool),
        connections(std::make_shared<Connections>(options, pool)) {}

  const std::shared_ptr<const FtpOptions> options;
  Pool& pool;
  const std::shared_ptr<Connections> connections;
  remote::SharedState shared;
  /// `LIST -a` works; without it servers hide names that begin with a dot.
  std::atomic<Does> lists_all = Does::unknown;
  /// A new name may end with a blank.
  std::atomic<Does> keeps_blanks = Does::unknown;
};

/// A connection in use, for the functions that block.
struct Session {
  Server& server;
  Connection& connection;
};

}  // namespace coffer::ftp
