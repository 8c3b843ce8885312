#pragma once

#include <array>
#include <span>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "base/error.h"

namespace coffer::local {

/// A content log's two files, in the own staging folder of the process that fills them.
inline constexpr std::array kLogNames = {"contents-1.log", "contents-2.log"};

/// The machine's run since it started (Linux: /proc/sys/kernel/random/boot_id); empty if unknown.
std::string this_boot();

/// Settles the logs that processes which are gone left in these folders: brings to the disk what
/// they tell, and after a crash of the machine, that is in another boot, writes again each file
/// beneath `root` that is missing or is not what was logged. What somebody else put in a file's
/// place, or changed later, stays, and nothing is made where its folder is gone. Blocks.
Result<void> recover_logs(int root, Staging& staging, std::span<const Handle> folders,
                          const std::string& boot);

}  // namespace coffer::local
