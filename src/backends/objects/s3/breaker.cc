#include "backends/objects/s3/breaker.h"

#include <algorithm>
#include <utility>

namespace coffer::objects::s3 {
namespace {

constexpr int kOutagesToOpen = 3;
constexpr auto kBetweenTries = std::chrono::seconds(2);

}  // namespace

std::optional<std::chrono::seconds> Breaker::refusal() {
  const std::lock_guard lock(mutex_);
  if (outages_ < kOutagesToOpen) return std::nullopt;
  const auto time = now_();
  if (time < next_try_) {
    return std::max(std::chrono::ceil<std::chrono::seconds>(next_try_ - time),
                    std::chrono::seconds(1));
  }
  // This request is the try. If its outcome is never noted, the next try comes as late.
  next_try_ = time + kBetweenTries;
  return std::nullopt;
}

bool Breaker::note_answer() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outages_, 0) >= kOutagesToOpen;
}

void Breaker::note_outage() {
  const std::lock_guard lock(mutex_);
  if (outages_ < kOutagesToOpen) ++outages_;
  next_try_ = now_() + kBetweenTries;
}

}  // namespace coffer::objects::s3
