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
  std::set<std::string> awaited;
  for (bool locked = false; !locked;) {
    co_await suspend([&](Resume resume) {
      if (!table->try_lock(places, mode, awaited, resume))
        return;  // It may be resumed elsewhere already.
      locked = true;
      resume();
    });
  }
  co_return Lock({table, std::move(places), mode});
}

// Who waits for a server's place holds up no one in the share that it wants too.
bool FolderLocks::Table::try_lock(const std::set<std::string>& places, Mode mode,
                                  std::set<std::string>& awaited, Resume& resume) {
  const std::lock_guard lock(mutex_);
  const bool exclusive = mode == Mode::exclusive;
  for (const std::string& place : awaited) --uses_[place].exclusive_waiters;
  awaited.clear();
  bool fits = true;
  for (const std::string& place : places) {
    Use& use = uses_[place];
    const bool is_free =
        !use.exclusive && (exclusive ? use.shared == 0 : use.exclusive_waiters == 0);
    fits = fits && is_free;
    if (is_free || !exclusive) continue;
    awaited.insert(place);
    ++use.exclusive_waiters;
  }
  if (!fits) {
    waiting_.push_back(std::move(resume));
    return false;
  }
  for (const std::string& place : places) {
    Use& use = uses_[place];
    exclusive ? use.exclusive = true : ++use.shared;
  }
  return true;
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
