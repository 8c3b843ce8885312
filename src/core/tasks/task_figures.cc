#include "core/tasks/task_figures.h"

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

constexpr std::chrono::milliseconds kSpeedEvery{200};
/// How much the last moment counts against those before it.
constexpr double kNewest = 0.3;

}  // namespace

void TaskFigures::add(const TransferProgress& step) {
  ended_.bytes_done += step.bytes_done();
  ended_.items_done += step.items_done();
  // Of a step that failed, what it had not done is not done any more.
  ended_.bytes_total += step.bytes_done();
  ended_.items_total += step.items_done();
}

void TaskFigures::expect(std::uint64_t items, std::uint64_t bytes) {
  expected_items_ += items;
  expected_bytes_ += bytes;
}

void TaskFigures::skip(std::string path, Error why) {
  ++ended_.skipped_count;
  if (skipped_.size() == kMostSkipped) return;
  skipped_.push_back({std::move(path), std::move(why.message), why.code});
  has_new_skipped_ = true;
}

catalog::Progress TaskFigures::read(const TransferProgress& step) {
  catalog::Progress now = ended_;
  now.bytes_done += step.bytes_done();
  now.items_done += step.items_done();
  now.bytes_total = std::max(expected_bytes_, now.bytes_total + step.bytes_total());
  now.items_total = std::max(expected_items_, now.items_total + step.items_total());
  measure_speed(now.bytes_done);
  now.bytes_per_second = static_cast<std::uint64_t>(bytes_per_second_);
  if (std::exchange(has_new_skipped_, false)) now.skipped = skipped_;
  return now;
}

catalog::Progress TaskFigures::read_last(const TransferProgress& step) {
  has_new_skipped_ = !skipped_.empty();
  return read(step);
}

void TaskFigures::measure_speed(std::uint64_t bytes_done) {
  const auto present = Clock::now();
  const std::chrono::duration<double> passed = present - measured_at_;
  if (passed < kSpeedEvery) return;
  const auto bytes = static_cast<double>(bytes_done - std::min(bytes_done, measured_bytes_));
  const double newest = bytes / passed.count();
  const bool is_first = measured_bytes_ == 0;
  bytes_per_second_ = is_first ? newest : (1 - kNewest) * bytes_per_second_ + kNewest * newest;
  measured_bytes_ = bytes_done;
  measured_at_ = present;
}

}  // namespace coffer::core
