#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/lock_file.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// The lock of the one server that uses a catalog, kept as long as this object lives, so that no
/// second one takes the first for dead. On SQLite it is a file beside the database, on PostgreSQL
/// an advisory lock of a connection of its own. It goes with the process, however that ends; where
/// a whole machine is gone, PostgreSQL finds out within two minutes.
///
/// On PostgreSQL the lock is lost for a while when its connection breaks. It shows which server is
/// alive; that a server whose place was taken writes nothing is the work of
/// `Database::guard_writes`.
class ServerLock {
 public:
  /// `alone` for a server, `shared` for a command that changes the schema, which no server may work
  /// with meanwhile.
  using Mode = LockFile::Mode;

  virtual ~ServerLock() = default;

  /// PostgreSQL only: whenever the connection breaks, tries to have the lock again, and calls
  /// `look` from a thread of its own after each try, for the caller to find out whether another
  /// server came meanwhile. To be called once.
  virtual void keep(std::function<void()> look) = 0;
};

/// `exists` if another process still holds the lock after a moment: the message says which, by the
/// `holder` that it gave, as "coffer serve, process 7 on host". Blocks.
Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder);

}  // namespace coffer::catalog
