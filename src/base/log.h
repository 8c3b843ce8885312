#pragma once

#include <spdlog/formatter.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace coffer {

/// The form of a log line: text, or a JSON object with the members `time`, `level` and `message`.
enum class LogFormat { text, json };

/// A named value of an event that `log_fields` logs. A `double` is written with three decimals.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::uint64_t, double> value;
};

/// The name of the logger of `log_fields`. Its messages are JSON already (see `members_of`).
inline constexpr const char* kFieldsLogger = "fields";

/// Returns the formatter that makes a log line of each event.
std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format);

/// Returns the fields as members of a JSON object, without its braces.
std::string members_of(std::span<const LogField> fields);

enum class LogLevel { debug, info, warning, error, off };

/// Sends the log to standard error, one line for each event, with UTC times. Call it before other
/// threads log. Any layer then logs with `spdlog::info("...", ...)`. Never log a secret.
void start_log(LogLevel level, LogFormat format = LogFormat::text);

bool logs_json();

/// Logs an event of the level `info`, with the fields as members instead of the member `message`.
/// Call it only if the log format is JSON.
void log_fields(std::span<const LogField> fields);

/// Sends the log to standard error while this object exists, from a thread of its own. Threads that
/// log never wait for standard error: up to a megabyte of lines is queued, and further lines are
/// dropped and counted. As soon as lines can be written again, one line states the number of
/// dropped lines. Threads that log must end before this object is destroyed.
class BackgroundLog {
 public:
  explicit BackgroundLog(LogLevel level, LogFormat format = LogFormat::text);
  /// Does not wait until the queued lines are written. Logging then works as after `start_log`.
  ~BackgroundLog();
  BackgroundLog(const BackgroundLog&) = delete;
  BackgroundLog& operator=(const BackgroundLog&) = delete;

  /// Ignores later lines, and waits until every queued line is written or dropped. Returns false if
  /// this takes longer than `limit`, for example because nobody reads standard error.
  bool close(std::chrono::milliseconds limit);

 private:
  class Sink;
  const LogLevel level_;
  const LogFormat format_;
  std::shared_ptr<Sink> sink_;
};

}  // namespace coffer
