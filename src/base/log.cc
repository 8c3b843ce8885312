#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <utility>

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

}  // namespace

void start_log(LogLevel level) {
  auto logger =
      std::make_shared<spdlog::logger>("coffer", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  logger->set_level(to_spdlog(level));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace coffer
