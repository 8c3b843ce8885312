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

namespace coffer::storage {

/// Limits of a walk through a tree on a server, above what people have.
struct WalkLimits {
  std::size_t folders = 250'000;
  std::size_t items = 2'000'000;
  std::size_t name_bytes = 128 * 1024 * 1024;
  std::size_t depth = 200;
};

/// Counts one walk against the limits, since a tree on a hostile server may be endless.
class WalkBudget {
 public:
  explicit WalkBudget(const WalkLimits& limits) : left_(limits) {}

  /// To be called before a folder is listed; `depth` is its depth below the top. `refused` if that
  /// is too deep.
  Result<void> enter(std::size_t depth) const;
  /// Counts the listing of one more folder; `refused` if a limit is passed.
  Result<void> spend(std::size_t items, std::size_t name_bytes);

 private:
  WalkLimits left_;
};

/// The time that a whole listing may take: `grace`, and a second for each `bytes_per_s` received.
/// The deadline for the next piece alone does not end a listing from a server that sends a byte now
/// and then. The longest listing that is accepted, 24 MiB, ends after seven and a half minutes.
/// Contents of files have no such limit: they may have any size, and the reader may be slow.
struct ListingPace {
  std::chrono::milliseconds grace = std::chrono::minutes(1);
  std::uint64_t bytes_per_s = 64 * 1024;

  /// True while a listing that received `bytes` in the time `passed` may go on.
  bool allows(std::chrono::steady_clock::duration passed, std::uint64_t bytes) const {
    const std::chrono::duration<double> over = passed - grace;
    return over.count() * static_cast<double>(bytes_per_s) <= static_cast<double>(bytes);
  }
};

/// The times that a remote server may take; a call that passes one of them fails with `timed_out`.
struct Deadlines {
  std::chrono::milliseconds connect = std::chrono::seconds(10);
  std::chrono::milliseconds login = std::chrono::seconds(15);
  std::chrono::milliseconds reply = std::chrono::seconds(30);  ///< To one command.
  std::chrono::milliseconds stall = std::chrono::seconds(30);  ///< Without a byte of a transfer.
  ListingPace listing = {};
  /// Requested when this program ends: waiting ends at once, and work of many steps, such as
  /// deleting a tree, stops before its next step.
  std::stop_token ending = {};
};

/// The error of a call that ended because this program ends. The server may have done the work.
inline std::unexpected<Error> fail_ending() {
  return fail(ErrorCode::unavailable, "This server is ending.");
}

/// Fails if this program ends.
inline Result<void> go_on(const Deadlines& deadlines) {
  if (!deadlines.ending.stop_requested()) return {};
  return fail_ending();
}

/// True if a connection to this address is allowed. Called after a name was resolved, before each
/// connection, from any thread. Empty: all addresses are allowed.
using MayConnect = std::function<bool(const sockaddr& address)>;

/// The file of certificates to trust instead of the system's (SSL_CERT_FILE, as OpenSSL reads it).
std::optional<std::string> trusted_certificates();

}  // namespace coffer::storage
