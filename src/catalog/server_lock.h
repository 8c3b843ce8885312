#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/lock_file.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// The lock of a catalog, held for the lifetime of the object: by one server, or by several that
/// share the catalog. On SQLite it is a lock on a file beside the database; on PostgreSQL, an
/// advisory lock of a separate connection. The lock is released when the process ends. If the whole
/// machine fails, PostgreSQL releases it within two minutes.
///
/// If the connection to PostgreSQL breaks, the lock is free until the thread of `keep` has taken it
/// again. Meanwhile another server may take over the catalog. In this case `Database::guard_writes`
/// makes the writes of this server fail.
class ServerLock {
 public:
  /// A server that is the only one, and commands that exclude servers, use `alone`; servers that
  /// share the catalog, and commands that only migrate, use `shared`.
  using Mode = LockFile::Mode;

  virtual ~ServerLock() = default;

  /// Starts a thread that watches the connection to PostgreSQL; does nothing on SQLite. The
  /// connection then also holds the advisory lock `life_key`, shared, by which other servers know
  /// that this one lives (see runs.h). When the connection breaks, the thread
  /// tries to take both locks until it has them again. After each try it calls `look`, in which the
  /// caller can check for another server. Call `keep` only once, and not on an I/O thread.
  virtual void keep(std::int64_t life_key, std::function<void()> look) = 0;
};

/// Takes the lock. If another process has the lock, waits about two seconds for its release.
/// `exists` if the other process still has it then. `holder` describes this process in the error
/// messages of other processes, such as "coffer serve, process 7 on host".
Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder);

}  // namespace coffer::catalog
