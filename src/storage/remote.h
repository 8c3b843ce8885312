#pragma once

#include <sys/socket.h>

#include <chrono>
#include <functional>
#include <stop_token>

#include "base/error.h"

namespace coffer::storage {

/// How long a remote server may take; a call that passes one of these fails with `timed_out`.
struct Deadlines {
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds login = std::chrono::seconds(15);
  std::chrono::milliseconds reply = std::chrono::seconds(30);  ///< To one command.
  std::chrono::milliseconds stall = std::chrono::seconds(30);  ///< Without a byte of a transfer.
  /// When this program ends: nothing is waited for any more, and work of many steps, such as
  /// deleting a tree, stops before its next.
  std::stop_token ending = {};
};

/// What fails because this program ends. What was asked of a server may have been done or not.
inline std::unexpected<Error> fail_ending() {
  return fail(ErrorCode::unavailable, "This server is ending.");
}

/// Fails if this program ends.
inline Result<void> go_on(const Deadlines& deadlines) {
  if (!deadlines.ending.stop_requested()) return {};
  return fail_ending();
}

/// True if a connection to this very address may be made. Asked after a name was resolved, for each
/// address before it is connected to; safe from any thread. Empty: every address may be.
using MayConnect = std::function<bool(const sockaddr& address)>;

}  // namespace coffer::storage
