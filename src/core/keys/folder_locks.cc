#include "core/keys/folder_locks.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

void FolderLocks::Hold::Leave::operator()(State* state) const {
  state->locks.leave(state->places, state->mode);
  delete state;
}

Task<FolderLocks::Hold> FolderLocks::take(std::set<std::string> places, Mode mode) {
  bool taken = false;
  for (bool waits = false; !taken; waits = true) {
    co_await suspend([&](Resume resume) {
      if (!try_take(places, mode, waits, resume)) return;  // It may go on elsewhere already.
      taken = true;
      resume();
    });
  }
  co_return Hold(*this, std::move(places), mode);
}

bool FolderLocks::try_take(const std::set<std::string>& places, Mode mode, bool waits,
                           Resume& waiting) {
  const std::lock_guard lock(mutex_);
  const bool is_alone = mode == Mode::alone;
  const bool fits = std::ranges::all_of(places, [&](const std::string& place) {
    const Use& use = uses_[place];
    return !use.alone && (is_alone ? use.shared == 0 : use.waiting == 0);
  });
  for (const std::string& place : places) {
    Use& use = uses_[place];
    if (is_alone && waits && fits) --use.waiting;
    if (is_alone && !waits && !fits) ++use.waiting;
    if (fits && is_alone) use.alone = true;
    if (fits && !is_alone) ++use.shared;
  }
  if (!fits) waiting_.push_back(std::move(waiting));
  return fits;
}

void FolderLocks::leave(const std::set<std::string>& places, Mode mode) {
  std::vector<Resume> waiting;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& place : places) {
      const auto use = uses_.find(place);
      if (mode == Mode::alone) {
        use->second.alone = false;
      } else {
        --use->second.shared;
      }
      const Use& now = use->second;
      if (!now.alone && now.shared == 0 && now.waiting == 0) uses_.erase(use);
    }
    waiting.swap(waiting_);
  }
  for (Resume& resume : waiting) resume();
}

}  // namespace coffer::core
