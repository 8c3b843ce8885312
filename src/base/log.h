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

/// The form of a line: text, or a JSON object with the members `time`, `level` and `message`.
enum class LogFormat { text, json };

/// A member of an event that programs read; fractions have three digits.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::uint64_t, double> value;
};

/// The logger of this name logs the result of `members_of`.
inline constexpr const char* kFieldsLogger = "fields";

/// Formats an event as a line.
std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format);

/// The members of a JSON object, without its braces.
std::string members_of(std::span<const LogField> fields);

/// The levels that the configuration offers.
enum class LogLevel { debug, info, warning, error, off };

/// Sends the log to standard error, one line for each event, with UTC times. To be called before
/// other threads log. Any layer then logs with `spdlog::info("…", …)`. Never log a secret.
void start_log(LogLevel level, LogFormat format = LogFormat::text);

/// True if the log is JSON.
bool logs_json();

/// Logs an event of the level `info` with these members instead of `message`. Only if the log is
/// JSON.
void log_fields(std::span<const LogField> fields);

/// The log of a server, while this object exists: threads that log never wait for standard error.
/// Up to a megabyte of lines may wait; more are dropped and counted, and a line says how many as
/// soon as the log is read again. Threads that log must end before it is destroyed.
class BackgroundLog {
 public:
  explicit BackgroundLog(LogLevel level, LogFormat format = LogFormat::text);
  /// Does not wait for lines that are not written yet; the log goes on as after `start_log`.
  ~BackgroundLog();
  BackgroundLog(const BackgroundLog&) = delete;
  BackgroundLog& operator=(const BackgroundLog&) = delete;

  /// Ends the log. True when everything is written, false if that took longer than `limit`: the
  /// thread that writes to standard error may then wait for ever.
  bool close(std::chrono::milliseconds limit);

 private:
  class Sink;
  const LogLevel level_;
  const LogFormat format_;
  std::shared_ptr<Sink> sink_;
};

}  // namespace coffer
