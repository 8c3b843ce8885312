#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/ftp/connections.h"
#include "backends/ftp/ftp_options.h"
#include "backends/remote/name_holds.h"

namespace coffer::ftp {

/// Whether `LIST -a` works, without which servers hide names that begin with a dot.
enum class ListAll : std::uint8_t { unknown, yes, no };

/// What a backend, its views, readers and writers share. Safe from any thread.
class Server : public std::enable_shared_from_this<Server> {
 public:
  Server(FtpOptions chosen, Pool& chosen_pool)
      : options(std::make_shared<const FtpOptions>(std::move(chosen))),
        pool(chosen_pool),
        connections(std::make_shared<Connections>(options, pool)) {}

  /// Deletes a partial file or tree behind, when a connection is free.
  void discard(std::string partial);

  const std::shared_ptr<const FtpOptions> options;
  Pool& pool;
  const std::shared_ptr<Connections> connections;
  remote::NameHolds names;
  std::atomic<ListAll> list_all = ListAll::unknown;

 private:
  void sweep(int tries_left);

  std::mutex pending_deletes_mutex_;
  std::vector<std::string> pending_deletes_;
  bool sweeping_ = false;
};

/// A connection in use, for the functions that block.
struct Session {
  Server& server;
  Connection& connection;
};

}  // namespace coffer::ftp
