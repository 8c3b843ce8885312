#include "catalog/owed_task_ends.h"

#include <soci/soci.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "catalog/database.h"

namespace coffer::catalog {
namespace {

constexpr std::chrono::milliseconds kFirstDelay{50};
/// Each try that fails doubles the delay, up to this.
constexpr std::chrono::milliseconds kLongestDelay{2000};

}  // namespace

OwedTaskEnds::~OwedTaskEnds() {
  is_ending_ = true;
  for (int left = tries_; left != 0; left = tries_) tries_.wait(left);
}

void OwedTaskEnds::add(TaskId id, TaskEnd end) {
  {
    const std::lock_guard lock(mutex_);
    owed_.push_back({std::move(id), std::move(end)});
  }
  try_after(kFirstDelay);
}

void OwedTaskEnds::try_after(std::chrono::milliseconds delay) {
  if (is_ending_ || database_.is_taken_over() || is_due_.exchange(true)) return;
  ++tries_;
  database_.post_after(Lane::write, delay, [this, delay] {
    is_due_ = false;
    if (!write_all()) try_after(std::min(2 * delay, kLongestDelay));
    --tries_;
    tries_.notify_all();
  });
}

bool OwedTaskEnds::write_all() {
  std::vector<Owed> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(owed_);
  }
  const auto left = std::ranges::remove_if(all, [this](const Owed& one) { return write_one(one); });
  all.erase(left.begin(), left.end());
  const std::lock_guard lock(mutex_);
  std::ranges::move(all, std::back_inserter(owed_));
  return owed_.empty();
}

bool OwedTaskEnds::write_one(const Owed& owed) {
  auto job = [&](soci::session& sql) { return write_(sql, owed.id, owed.end); };
  const auto written = database_.run_here(Lane::write, job);
  return written || written.error().code == ErrorCode::not_found;
}

}  // namespace coffer::catalog
