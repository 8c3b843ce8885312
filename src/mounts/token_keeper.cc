#include "mounts/token_keeper.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"

namespace coffer::mounts {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::minutes(10);

}  // namespace

TokenKeeper::TokenKeeper(Store store, std::chrono::milliseconds first_pause)
    : store_(std::move(store)), first_pause_(first_pause) {}

TokenKeeper::~TokenKeeper() {
  thread_.post([this] {
    is_ending_ = true;
    try_all();
  });
}

void TokenKeeper::keep(const catalog::Connector& connector, const std::string& token) {
  thread_.post([this, connector, token] {
    unkept_.insert_or_assign(connector.id.value, Unkept{connector, token});
    pause_ = first_pause_;
    try_all();
  });
}

/// A timer that is destroyed is one that the end does not wait for.
void TokenKeeper::try_all() {
  later_.reset();
  for (auto one = unkept_.begin(); one != unkept_.end();) {
    one = is_done(one->second) ? unkept_.erase(one) : std::next(one);
  }
  if (unkept_.empty() || is_ending_) return;
  later_ = thread_.timer();
  later_->expires_after(pause_);
  pause_ = std::min(2 * pause_, kLongestPause);
  later_->async_wait([this](boost::system::error_code error) {
    if (!error) try_all();
  });
}

bool TokenKeeper::is_done(Unkept& unkept) const {
  const auto stored = store_(unkept.connector, unkept.token);
  if (stored) return true;
  const bool is_over = is_ending_ || stored.error().code == ErrorCode::invalid;
  if (is_over || !unkept.is_told) {
    spdlog::error("the renewed token of the drive {} could not be stored{}: {}",
                  unkept.connector.name, is_over ? "" : ", and storing it is tried again",
                  stored.error().message);
    unkept.is_told = true;
  }
  return is_over;
}

}  // namespace coffer::mounts
