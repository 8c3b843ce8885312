#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "catalog/server_lock.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// `exists` if another process still holds the lock after a moment: the message says which, by the
/// `holder` that it gave, as "coffer serve, process 7 on host". Blocks.
Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder);

}  // namespace coffer::catalog
