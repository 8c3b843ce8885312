#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/lock_file.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// The lock of the server that uses a catalog, held for the lifetime of the object. On SQLite it is
/// a lock on a file beside the database, on PostgreSQL an advisory lock of a separate connection.
/// It ends with the process. If the whole machine fails, PostgreSQL ends it within two minutes.
///
/// If the connection to PostgreSQL breaks, the lock is free until `keep` has taken it again.
/// Another server may then take over; `Database::guard_writes` makes this server's writes fail.
class ServerLock {
 public:
  /// `alone` for a server, `shared` for a command that changes the schema while no server runs.
  using Mode = LockFile::Mode;

  virtual ~ServerLock() = default;

  /// Starts a thread that watches the connection to PostgreSQL; does nothing on SQLite. When the
  /// connection breaks, the thread tries to take the lock again, and after each try calls `look`,
  /// so that the caller can check for another server. Call it once.
  virtual void keep(std::function<void()> look) = 0;
};

/// Takes the lock. Waits about two seconds while another process has it, then fails with `exists`;
/// the message names the other process by its `holder`, such as "coffer serve, process 7 on host".
Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder);

}  // namespace coffer::catalog
