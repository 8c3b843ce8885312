#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <utility>

#include "base/log_queue.h"
#include "base/text.h"

namespace coffer {
namespace {

/// A string of JSON (RFC 8259, section 7). If the text is not UTF-8, bytes beyond ASCII are read as
/// Latin 1.
std::string json_string(std::string_view text) {
  const bool is_text = is_utf8(text);
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !is_text)) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

struct JsonOf {
  std::string operator()(std::string_view text) const { return json_string(text); }
  std::string operator()(std::uint64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{:.3f}", number); }
};

/// Formats the members of an event that follow its time and level.
class JsonMembers final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string_view payload(message.payload.data(), message.payload.size());
    const std::string_view logger(message.logger_name.data(), message.logger_name.size());
    if (logger == kFieldsLogger) {
      out.append(payload.data(), payload.data() + payload.size());
      return;
    }
    const std::string text = "\"message\":" + json_string(payload);
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<JsonMembers>();
  }
};

}  // namespace

std::unique_ptr<spdlog::formatter> log_line_formatter(LogFormat format) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  if (format == LogFormat::json) {
    formatter->add_flag<JsonMembers>('*').set_pattern(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%*})");
  } else {
    formatter->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v");
  }
  return formatter;
}

std::string members_of(std::span<const LogField> fields) {
  std::string text;
  for (const LogField& field : fields) {
    if (!text.empty()) text += ',';
    text += json_string(field.name) + ':' + std::visit(JsonOf(), field.value);
  }
  return text;
}

namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  std::unreachable();
}

constexpr std::size_t kWaitingBytes = 1024 * 1024;

/// The last format given to `start_log`. Read by any thread, written before others log.
LogFormat format_in_use = LogFormat::text;
std::shared_ptr<spdlog::logger> fields_logger;

void log_to(const spdlog::sink_ptr& sink, LogLevel level, LogFormat format) {
  const auto make = [&](const char* name) {
    auto logger = std::make_shared<spdlog::logger>(name, sink);
    logger->set_formatter(log_line_formatter(format));
    logger->set_level(to_spdlog(level));
    return logger;
  };
  format_in_use = format;
  fields_logger = make(kFieldsLogger);
  spdlog::set_default_logger(make("coffer"));
}

std::string dropped_notice(std::size_t lines, LogFormat format) {
  const std::string text =
      fmt::format("{} {} of the log {} dropped, which came faster than they could be written",
                  lines, lines == 1 ? "line" : "lines", lines == 1 ? "was" : "were");
  spdlog::memory_buf_t line;
  log_line_formatter(format)->format(spdlog::details::log_msg("coffer", spdlog::level::warn, text),
                                     line);
  return {line.data(), line.size()};
}

}  // namespace

void start_log(LogLevel level, LogFormat format) {
  log_to(std::make_shared<spdlog::sinks::stderr_sink_mt>(), level, format);
}

bool logs_json() {
  return format_in_use == LogFormat::json;
}

void log_fields(std::span<const LogField> fields) {
  if (fields_logger->should_log(spdlog::level::info)) {
    fields_logger->info("{}", members_of(fields));
  }
}

class BackgroundLog::Sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit Sink(LogFormat format)
      : queue_(STDERR_FILENO, kWaitingBytes,
               [format](std::size_t lines) { return dropped_notice(lines, format); }) {}

  bool close(std::chrono::milliseconds limit) { return queue_.close(limit); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    queue_.push({line.data(), line.size()}, message.level >= spdlog::level::warn);
  }
  void flush_() override {}

  LogQueue queue_;
};

BackgroundLog::BackgroundLog(LogLevel level, LogFormat format)
    : level_(level), format_(format), sink_(std::make_shared<Sink>(format)) {
  log_to(sink_, level, format);
}

BackgroundLog::~BackgroundLog() {
  start_log(level_, format_);
}

bool BackgroundLog::close(std::chrono::milliseconds limit) {
  return sink_->close(limit);
}

}  // namespace coffer
