#include "backends/ftp/inactivity_timer.h"

#include <utility>

namespace coffer::ftp {

void InactivityTimer::enter(Phase phase) {
  phase_ = phase;
  renew();
}

bool InactivityTimer::expired() const {
  if (limits_.ending.stop_requested()) return true;
  const auto passed = std::chrono::steady_clock::now() - since_;
  switch (phase_) {
    case Phase::connect:
      return passed > limits_.connect;
    case Phase::login:
      return passed > limits_.login;
    case Phase::reply:
      return passed > limits_.reply;
    case Phase::transfer:
      return passed > limits_.stall;
  }
  std::unreachable();
}

Error InactivityTimer::error() const {
  if (limits_.ending.stop_requested()) return storage::fail_ending().error();
  switch (phase_) {
    case Phase::connect:
      return {ErrorCode::timed_out, "The FTP server did not accept a connection in time."};
    case Phase::login:
      return {ErrorCode::timed_out, "The FTP server did not finish the login in time."};
    case Phase::reply:
      return {ErrorCode::timed_out, "The FTP server did not answer in time."};
    case Phase::transfer:
      return {ErrorCode::timed_out, "The FTP server stopped in the middle of a transfer."};
  }
  std::unreachable();
}

}  // namespace coffer::ftp
