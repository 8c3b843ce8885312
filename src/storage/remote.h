#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "storage/depth.h"

namespace coffer::storage {

/// The limits of a walk through a tree on a remote server. Real trees are smaller.
struct WalkLimits {
  std::size_t folders = 250'000;
  std::size_t items = 2'000'000;
  std::size_t name_bytes = 128 * 1024 * 1024;
  std::size_t depth = kDeepestFolder;
};

/// Enforces WalkLimits on one walk, because a tree on a hostile server may be endless.
class WalkBudget {
 public:
  explicit WalkBudget(const WalkLimits& limits) : left_(limits) {}

  /// Must be called before a folder is listed. `depth` is the folder's depth below the top.
  /// `refused` if `depth` exceeds the limit.
  Result<void> enter(std::size_t depth) const;
  /// Counts one folder and the items in it. `refused` if a limit is exceeded.
  Result<void> spend(std::size_t items, std::size_t name_bytes);

 private:
  WalkLimits left_;
};

/// The time limit for a whole listing: `grace`, plus one second for each `bytes_per_s` bytes
/// received. Without this limit, a server that sends one byte now and then could prolong a listing
/// forever. The largest accepted listing, 24 MiB, may take seven and a half minutes. Transfers of
/// file contents have no such limit, because a file may have any size, and the client that reads it
/// may be slow.
struct ListingPace {
  std::chrono::milliseconds grace = std::chrono::minutes(1);
  std::uint64_t bytes_per_s = 64 * 1024;

  /// Returns true if a listing that received `bytes` bytes in `passed` is within the limit.
  bool allows(std::chrono::steady_clock::duration passed, std::uint64_t bytes) const {
    const std::chrono::duration<double> over = passed - grace;
    return over.count() * static_cast<double>(bytes_per_s) <= static_cast<double>(bytes);
  }
};

/// The time limits for calls to a remote server. A call that exceeds one fails with `timed_out`.
struct Deadlines {
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds login = std::chrono::seconds(15);
  std::chrono::milliseconds reply = std::chrono::seconds(30);  ///< For the reply to one command.
  std::chrono::milliseconds stall = std::chrono::seconds(30);  ///< Between bytes of a transfer.
  ListingPace listing = {};
  /// Requests a stop when this program shuts down. Calls then stop waiting at once, and work of
  /// many steps, such as deleting a tree, stops before its next step.
  std::stop_token ending = {};
};

/// Returns the error of a call that ended because this program is shutting down. The remote server
/// may have done the work nevertheless.
inline std::unexpected<Error> fail_ending() {
  return fail(ErrorCode::unavailable, "This server is shutting down.");
}

/// `unavailable` if this program is shutting down.
inline Result<void> go_on(const Deadlines& deadlines) {
  if (!deadlines.ending.stop_requested()) return {};
  return fail_ending();
}

/// Returns true if a connection to the address is allowed. Called from any thread, after a name was
/// resolved and before each connection. If the function is empty, all addresses are allowed.
using MayConnect = std::function<bool(const sockaddr& address)>;

/// Returns the value of the environment variable SSL_CERT_FILE: a file of certificates to trust
/// instead of the system's, as in OpenSSL. Returns nullopt if the system's certificates are to be
/// used.
std::optional<std::string> trusted_certificates();

}  // namespace coffer::storage
