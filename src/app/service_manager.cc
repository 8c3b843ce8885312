#include "app/service_manager.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "base/log.h"

namespace coffer::app {
namespace {

std::string value_of(const std::map<std::string, std::string>& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// How long a manager may leave its socket full. The server waits that long, and then goes on.
constexpr ::timeval kPatience{.tv_sec = 1, .tv_usec = 0};

/// Half of the time after which the manager takes the server for dead (sd_watchdog_enabled(3)).
std::chrono::microseconds watchdog_period(const std::map<std::string, std::string>& environment) {
  const std::string process = value_of(environment, "WATCHDOG_PID");
  const bool is_ours = process.empty() || number_of(process) == std::uint64_t(::getpid());
  const std::uint64_t limit_us = number_of(value_of(environment, "WATCHDOG_USEC"));
  return std::chrono::microseconds(is_ours ? limit_us / 2 : 0);
}

std::uint64_t monotonic_us() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::uint64_t(time.tv_sec) * 1'000'000 + std::uint64_t(time.tv_nsec) / 1'000;
}

}  // namespace

ServiceManager::ServiceManager(boost::asio::io_context& context,
                               const std::map<std::string, std::string>& environment)
    : socket_(value_of(environment, "NOTIFY_SOCKET")),
      period_(watchdog_period(environment)),
      alive_(context) {}

void ServiceManager::tell_ready() {
  send("READY=1");
  if (!socket_.empty() && period_.count() > 0) tell_alive();
}

void ServiceManager::tell_reloading() {
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", monotonic_us()));
}

void ServiceManager::tell_stopping() {
  send("STOPPING=1");
}

void ServiceManager::end() {
  has_ended_ = true;  // A wait that is over already cannot be cancelled any more.
  alive_.cancel();
}

void ServiceManager::tell_alive() {
  if (has_ended_) return;
  send("WATCHDOG=1", MSG_DONTWAIT);  // The next one comes soon.
  alive_.expires_after(period_);
  alive_.async_wait([this](boost::system::error_code error) {
    if (!error) tell_alive();
  });
}

void ServiceManager::send(std::string_view state, int flags) const {
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const bool fits = socket_.size() < sizeof address.sun_path;
  if (socket_.empty() || !fits) return;
  std::ranges::copy(socket_, address.sun_path);
  if (socket_.front() == '@') address.sun_path[0] = '\0';  // A name that is not in the file system.
  const auto size = static_cast<::socklen_t>(offsetof(::sockaddr_un, sun_path) + socket_.size());
  const int out = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto* const target = reinterpret_cast<const ::sockaddr*>(&address);
  ::setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  const bool is_sent = out >= 0 && ::sendto(out, state.data(), state.size(), MSG_NOSIGNAL | flags,
                                            target, size) >= 0;
  if (!is_sent) {
    spdlog::warn("the service manager could not be told {}: {}", state, std::strerror(errno));
  }
  if (out >= 0) ::close(out);
}

}  // namespace coffer::app
