#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "base/error.h"

namespace coffer::storage {

/// How long a listing may take besides the deadline for its next piece, which a server that sends a
/// byte now and then never passes: `grace` from when it is asked for, and a second more for each so
/// many bytes that came. In a minute the slowest line brings folders of a thousand items, and half
/// a megabit is little for more; the longest listing that is taken, 24 MiB, ends after seven and a
/// half minutes. Contents of files have no such limit: they may be of any size, and the one who
/// reads may be the slow one.
struct ListingPace {
  std::chrono::milliseconds grace = std::chrono::minutes(1);
  std::uint64_t bytes_per_s = 64 * 1024;

  /// Whether a listing that has come so far may go on.
  bool allows(std::chrono::steady_clock::duration passed, std::uint64_t bytes) const {
    const std::chrono::duration<double> over = passed - grace;
    return over.count() * static_cast<double>(bytes_per_s) <= static_cast<double>(bytes);
  }
};

/// How long a remote server may take; a call that passes one of these fails with `timed_out`.
struct Deadlines {
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds login = std::chrono::seconds(15);
  std::chrono::milliseconds reply = std::chrono::seconds(30);  ///< To one command.
  std::chrono::milliseconds stall = std::chrono::seconds(30);  ///< Without a byte of a transfer.
  ListingPace listing = {};
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
