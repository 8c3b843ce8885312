#pragma once

#include <sys/socket.h>

#include <chrono>
#include <functional>

namespace coffer::storage {

/// How long a remote server may take; a call that passes one of these fails with `timed_out`.
struct Deadlines {
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds login = std::chrono::seconds(15);
  std::chrono::milliseconds reply = std::chrono::seconds(30);  ///< To one command.
  std::chrono::milliseconds stall = std::chrono::seconds(30);  ///< Without a byte of a transfer.
};

/// True if a connection to this very address may be made. Asked after a name was resolved, for each
/// address before it is connected to; safe from any thread. Empty: every address may be.
using MayConnect = std::function<bool(const sockaddr& address)>;

}  // namespace coffer::storage
