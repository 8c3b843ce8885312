#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "async/pool.h"
#include "backends/ftp/connections.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/adapter.h"

namespace coffer::ftp {

/// The answer to a question about the server's behaviour; `unknown` until a test answers it.
enum class Does : std::uint8_t { unknown, yes, no };

/// The state that a backend shares with its views, readers and writers. Safe from any thread.
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
  /// `yes` if `LIST -a` works. Without `-a`, servers leave out names that begin with a dot.
  std::atomic<Does> lists_all = Does::unknown;
  /// `no` if the server has MLST and MLSD, but leaves out facts (see FactLine): then it is used as
  /// one that lacks them.
  std::atomic<Does> tells_facts = Does::unknown;
  /// `yes` if the server keeps a space at the end of a new name.
  std::atomic<Does> keeps_blanks = Does::unknown;
};

/// A server, and a connection to it that only one blocking function uses at a time.
struct Session {
  Server& server;
  Connection& connection;
  /// Asked for the bytes of listings as they come; null, or a null function, for no bound.
  const storage::ListingBound* bound = nullptr;
};

}  // namespace coffer::ftp
