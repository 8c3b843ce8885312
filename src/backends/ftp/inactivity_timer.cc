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

void InactivityTimer::enter(Phase phase) {
  phase_ = phase;
  renew();
}

bool InactivityTimer::expired() const {
  if (limits_.ending.stop_requested()) return true;
  const auto passed = std::chrono::steady_clock::now() - since_;
  return passed > limits_.*kWaits[std::to_underlying(phase_)].limit;
}

Error InactivityTimer::error() const {
  if (limits_.ending.stop_requested()) return storage::fail_ending().error();
  return {ErrorCode::timed_out, kWaits[std::to_underlying(phase_)].message};
}

}  // namespace coffer::ftp
