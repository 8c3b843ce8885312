#include "backends/ftp/inactivity_timer.h"

#include <utility>

namespace coffer::ftp {
namespace {

using storage::Deadlines;

struct Wait {
  std::chrono::milliseconds Deadlines::* limit;
  const char* message;
};
/// In the order of the phases.
constexpr Wait kWaits[] = {
    {&Deadlines::connect, "The FTP server did not accept a connection in time."},
    {&Deadlines::login, "The FTP server did not finish the login in time."},
    {&Deadlines::reply, "The FTP server did not answer in time."},
    {&Deadlines::stall, "The FTP server stopped in the middle of a transfer."},
};

}  // namespace

void InactivityTimer::begin(Phase phase) {
  enter(phase);
  begun_at_ = since_;
  taken_bytes_ = 0;
  is_listing_ = false;
}

void InactivityTimer::enter(Phase phase) {
  phase_ = phase;
  renew();
}

bool InactivityTimer::expired() const {
  if (limits_.ending.stop_requested()) return true;
  const Time now = std::chrono::steady_clock::now();
  return now - since_ > limits_.*kWaits[std::to_underlying(phase_)].limit || is_too_slow(now);
}

bool InactivityTimer::is_too_slow(Time now) const {
  return is_listing_ && !limits_.listing.allows(now - begun_at_, taken_bytes_);
}

Error InactivityTimer::error() const {
  if (limits_.ending.stop_requested()) return storage::fail_ending().error();
  if (is_too_slow(std::chrono::steady_clock::now())) {
    return {ErrorCode::timed_out, "The FTP server sends a listing too slowly."};
  }
  return {ErrorCode::timed_out, kWaits[std::to_underlying(phase_)].message};
}

}  // namespace coffer::ftp
