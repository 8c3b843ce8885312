#pragma once

#include <spdlog/spdlog.h>

namespace coffer {

/// The levels that the configuration offers.
enum class LogLevel { debug, info, warning, error, off };

/// Sends the log to standard error, one line an event, with UTC times. Call it before other
/// threads log.
/// After it, any layer logs with `spdlog::info("…", …)`. Never log a secret.
void start_log(LogLevel level);

}  // namespace coffer
