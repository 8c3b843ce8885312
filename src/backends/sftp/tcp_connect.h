#pragma once

#include <cstdint>
#include <string>

#include "backends/sftp/time_limit.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::sftp {

/// Resolves the name and connects to the first of its addresses that may be connected to and
/// answers, all within `limit`. Returns a non-blocking socket that the caller owns. `unavailable`
/// when the name or no address leads anywhere, `timed_out`. Blocks.
Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect);

}  // namespace coffer::sftp
