#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <utility>

#include "base/log_queue.h"

namespace coffer {
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

constexpr const char* kPattern = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
constexpr std::size_t kWaitingBytes = 1024 * 1024;

void log_to(spdlog::sink_ptr sink, LogLevel level) {
  auto logger = std::make_shared<spdlog::logger>("coffer", std::move(sink));
  logger->set_pattern(kPattern, spdlog::pattern_time_type::utc);
  logger->set_level(to_spdlog(level));
  spdlog::set_default_logger(std::move(logger));
}

std::string dropped_notice(std::size_t lines) {
  const std::string text =
      fmt::format("{} {} of the log {} dropped, which came faster than they could be written",
                  lines, lines == 1 ? "line" : "lines", lines == 1 ? "was" : "were");
  spdlog::pattern_formatter formatter(kPattern, spdlog::pattern_time_type::utc);
  spdlog::memory_buf_t line;
  formatter.format(spdlog::details::log_msg("coffer", spdlog::level::warn, text), line);
  return {line.data(), line.size()};
}

}  // namespace

void start_log(LogLevel level) {
  log_to(std::make_shared<spdlog::sinks::stderr_sink_mt>(), level);
}

class BackgroundLog::Sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  bool close(std::chrono::milliseconds limit) { return queue_.close(limit); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    queue_.push({line.data(), line.size()}, message.level >= spdlog::level::warn);
  }
  void flush_() override {}

  LogQueue queue_{STDERR_FILENO, kWaitingBytes, dropped_notice};
};

BackgroundLog::BackgroundLog(LogLevel level) : level_(level), sink_(std::make_shared<Sink>()) {
  log_to(sink_, level);
}

BackgroundLog::~BackgroundLog() {
  start_log(level_);
}

bool BackgroundLog::close(std::chrono::milliseconds limit) {
  return sink_->close(limit);
}

}  // namespace coffer
