#include "core/keys/folder_locks.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

void FolderLocks::Lock::Unlock::operator()(State* state) const {
  state->table->unlock(state->places, state->mode);
  delete state;
}

Task<FolderLocks::Lock> FolderLocks::acquire(std::set<std::string> places, Mode mode) {
  const std::shared_ptr<Table> table = table_;
  bool locked = false;
  for (bool waits = false; !locked; waits = true) {
    co_await suspend([&](Resume resume) {
      if (!table->try_lock(places, mode, waits, resume))
        return;  // It may be resumed elsewhere already.
      locked = true;
      resume();
    });
  }
  co_return Lock({table, std::move(places), mode});
}

bool FolderLocks::Table::try_lock(const std::set<std::string>& places, Mode mode, bool waits,
                                  Resume& resume) {
  const std::lock_guard lock(mutex_);
  const bool exclusive = mode == Mode::exclusive;
  const bool fits = std::ranges::all_of(places, [&](const std::string& place) {
    const Use& use = uses_[place];
    return !use.exclusive && (exclusive ? use.shared == 0 : use.exclusive_waiters == 0);
  });
  for (const std::string& place : places) {
    Use& use = uses_[place];
    if (exclusive && waits && fits) --use.exclusive_waiters;
    if (exclusive && !waits && !fits) ++use.exclusive_waiters;
    if (fits && exclusive) use.exclusive = true;
    if (fits && !exclusive) ++use.shared;
  }
  if (!fits) waiting_.push_back(std::move(resume));
  return fits;
}

void FolderLocks::Table::unlock(const std::set<std::string>& places, Mode mode) {
  std::vector<Resume> waiting;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& place : places) {
      const auto use = uses_.find(place);
      if (mode == Mode::exclusive) {
        use->second.exclusive = false;
      } else {
        --use->second.shared;
      }
      const Use& now = use->second;
      if (!now.exclusive && now.shared == 0 && now.exclusive_waiters == 0) uses_.erase(use);
    }
    waiting.swap(waiting_);
  }
  for (Resume& resume : waiting) resume();
}

}  // namespace coffer::core
