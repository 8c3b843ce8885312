#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/lock_file.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// The lock of the server that uses a catalog, held while this object lives. On SQLite it is a lock
/// on a file beside the database, on PostgreSQL an advisory lock of a connection of its own. It
/// ends with the process; if the whole machine fails, PostgreSQL notices within two minutes.
///
/// On PostgreSQL the lock is lost for a while when its connection breaks. Another server may then
/// take over; `Database::guard_writes` makes the writes of the first one fail.
class ServerLock {
 public:
  /// `alone` for a server, `shared` for a command that changes the schema while no server runs.
  using Mode = LockFile::Mode;

  virtual ~ServerLock() = default;

  /// PostgreSQL only: whenever the connection breaks, tries to take the lock again, and calls
  /// `look` on a thread of its own after each try, so that the caller can check for another server.
  /// Call it once.
  virtual void keep(std::function<void()> look) = 0;
};

/// Takes the lock; `exists` if another process still has it after a moment. The message names that
/// process by its `holder`, such as "coffer serve, process 7 on host". Blocks.
Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder);

}  // namespace coffer::catalog
