#pragma once

#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <span>

#include "base/log_line.h"

namespace coffer {

/// The levels that the configuration offers.
enum class LogLevel { debug, info, warning, error, off };

/// Sends the log to standard error, one line an event, with UTC times. Call it before other
/// threads log.
/// After it, any layer logs with `spdlog::info("…", …)`. Never log a secret.
void start_log(LogLevel level, LogFormat format = LogFormat::text);

/// Whether it is JSON that is logged.
bool logs_json();

/// Logs an event of the level `info` that has a member for each part in place of `message`. Only
/// where it is JSON that is logged.
void log_fields(std::span<const LogField> fields);

/// The same for a server, as long as this lives: no thread that logs waits for standard error.
/// A megabyte of lines may wait; what comes beyond that is dropped and counted, and the log says
/// so as soon as it is read again. Threads that log must have ended before it is destroyed.
class BackgroundLog {
 public:
  explicit BackgroundLog(LogLevel level, LogFormat format = LogFormat::text);
  /// Waits no longer for what is not written; the log goes on as `start_log` has it.
  ~BackgroundLog();
  BackgroundLog(const BackgroundLog&) = delete;
  BackgroundLog& operator=(const BackgroundLog&) = delete;

  /// Ends the log. True once all of it has been written, false if that took longer than `limit`:
  /// then the thread that writes to standard error may wait for ever.
  bool close(std::chrono::milliseconds limit);

 private:
  class Sink;
  const LogLevel level_;
  const LogFormat format_;
  std::shared_ptr<Sink> sink_;
};

}  // namespace coffer
