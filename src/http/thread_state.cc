#include "http/thread_state.h"

#include <charconv>
#include <chrono>
#include <ctime>

#include "base/clock.h"
#include "base/random.h"

namespace coffer::http {

ThreadState::ThreadState(const ServerOptions& the_options, const Router& the_router,
                         TaskGroup& the_tasks)
    : options(the_options),
      router(the_router),
      tasks(the_tasks),
      access_log(the_options.access_log),
      cors(the_options.cors_origins),
      proxies(the_options.trusted_proxies),
      id_prefix_(random_hex(5) + '-') {}

const std::string& ThreadState::common_lines() {
  const std::int64_t second = std::time(nullptr);
  if (second != common_lines_second_) {
    common_lines_second_ = second;
    const Timestamp time{std::chrono::seconds(second)};
    common_lines_ = "Date: " + format_http_date(time) + "\r\nX-Content-Type-Options: nosniff\r\n";
  }
  return common_lines_;
}

std::string ThreadState::next_id() {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, ++id_count_, 16).ptr;
  return std::string(id_prefix_).append(digits, end);
}

}  // namespace coffer::http
