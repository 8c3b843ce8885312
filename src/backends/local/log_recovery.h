#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/reclaimer.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// A content log's two files. Others in its folder that end so hold what waits for a root, or what
/// a disk did not take while the server ran.
inline constexpr std::array kLogNames = {"contents-1.log", "contents-2.log"};
inline constexpr std::string_view kWaitingPrefix = "waiting-";
inline constexpr std::string_view kKeptPrefix = "kept-";

/// The machine's run since it started (Linux: /proc/sys/kernel/random/boot_id); empty if unknown.
std::string this_boot();

struct RecoveryOptions {
  std::filesystem::path log;   ///< The log's folder.
  std::filesystem::path base;  ///< See ContentLog::Options.
  /// For roots beneath the base that are on its file system; others have theirs in the root.
  std::filesystem::path staging;
  std::string boot;
  bool only_waiting = false;  ///< Leaves the log itself alone, which this process fills.
};

/// Settles the log that a process which is gone left: brings to the disk what it tells, and after a
/// crash of the machine, that is in another boot, writes again each file that is missing, is torn
/// or is an older item of that name. What another program put in a file's place, or changed later,
/// stays, and nothing is made where its folder is gone. What was logged beneath roots that are not
/// there is kept in a file of its own until they are, unless they lie beneath the base, and so are
/// files that cannot be written. Takes the log's files away at the end; an error leaves them.
/// Returns the roots that files wait for. Blocks.
Result<std::vector<std::filesystem::path>> recover_log(const RecoveryOptions& options,
                                                       Reclaimer& reclaimer);

/// The same for the logs that an earlier version left in these folders of the staging folder of
/// that root, each by its own.
Result<void> recover_earlier_logs(int root, Staging& staging, std::span<const Handle> folders,
                                  const std::string& boot);

}  // namespace coffer::local
