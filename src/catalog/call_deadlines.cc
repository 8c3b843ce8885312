#include "catalog/call_deadlines.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace coffer::catalog {

ConnectionSocket::ConnectionSocket(int socket) : file_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {}

ConnectionSocket::~ConnectionSocket() {
  if (file_ >= 0) ::close(file_);
}

CallDeadlines::CallDeadlines() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

CallDeadlines::~CallDeadlines() = default;

CallDeadlines::Call::Call(CallDeadlines& all, const ConnectionSocket& socket, Clock::duration limit)
    : all_(all) {
  const std::lock_guard lock(all_.mutex_);
  place_ = all_.calls_.emplace(Clock::now() + limit, State{.socket = socket.descriptor()});
  if (place_ == all_.next()) all_.changed_.notify_one();
}

CallDeadlines::Call::~Call() {
  const std::lock_guard lock(all_.mutex_);
  all_.calls_.erase(place_);
}

bool CallDeadlines::Call::expired() const {
  const std::lock_guard lock(all_.mutex_);
  return place_->second.is_over;
}

CallDeadlines::Call::Calls::iterator CallDeadlines::next() {
  return std::ranges::find_if(calls_, [](const auto& call) { return !call.second.is_over; });
}

void CallDeadlines::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto call = next();
    const auto due = call == calls_.end() ? Clock::time_point::max() : call->first;
    if (due <= Clock::now()) {
      ::shutdown(call->second.socket, SHUT_RDWR);
      call->second.is_over = true;
      continue;
    }
    const auto has_earlier = [&] {
      const auto earliest = next();
      return earliest != calls_.end() && earliest->first < due;
    };
    if (call == calls_.end()) {
      changed_.wait(lock, stop, has_earlier);
    } else {
      changed_.wait_until(lock, stop, due, has_earlier);
    }
  }
}

}  // namespace coffer::catalog
