#include "core/keys/folder_locks.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

void FolderLocks::Lock::Unlock::operator()(State* state) const {
  state->table->unlock(state->places, state->mode);
  delete state;
}

Task<Result<FolderLocks::Lock>> FolderLocks::acquire(std::set<std::string> places, Mode mode) {
  const std::shared_ptr<Table> table = table_;
  co_await suspend([&](Resume resume) { table->lock({places, mode, std::move(resume)}); });
  Lock lock({table, places, mode});
  catalog::PlaceLocks::Places of_servers;
  for (const std::string& place : places) of_servers.emplace("folders of " + place, mode);
  CO_TRY(lock.of_servers_, co_await of_servers_.acquire(std::move(of_servers)));
  co_return lock;
}

void FolderLocks::Table::lock(Request request) {
  serve([&] { waiting_.push_back(std::move(request)); });
}

void FolderLocks::Table::unlock(const std::set<std::string>& places, Mode mode) {
  serve([&] {
    for (const std::string& place : places) {
      const auto use = uses_.find(place);
      if (mode == Mode::exclusive) {
        use->second.exclusive = false;
      } else {
        --use->second.shared;
      }
      if (!use->second.exclusive && use->second.shared == 0) uses_.erase(use);
    }
  });
}

/// Makes a change, and then grants what can be granted, in the order of arrival.
template <class Change>
void FolderLocks::Table::serve(Change change) {
  std::vector<Resume> granted;
  {
    const std::lock_guard lock(mutex_);
    change();
    Awaited awaited;
    for (auto request = waiting_.begin(); request != waiting_.end();) {
      if (!try_grant(*request, awaited)) {
        ++request;
        continue;
      }
      granted.push_back(std::move(request->resume));
      request = waiting_.erase(request);
    }
  }
  for (Resume& resume : granted) resume();
}

/// `awaited` has the places that earlier requests wait for, and how they want them. If this request
/// must wait, adds those that it waits for, and no others: who waits for a server's place holds up
/// no one in the share that it wants too.
bool FolderLocks::Table::try_grant(const Request& request, Awaited& awaited) {
  const bool exclusive = request.mode == Mode::exclusive;
  std::vector<std::string> taken;
  for (const std::string& place : request.places) {
    const auto use = uses_.find(place);
    const auto earlier = awaited.find(place);
    const bool is_held = use != uses_.end() && (exclusive || use->second.exclusive);
    const bool is_awaited =
        earlier != awaited.end() && (exclusive || earlier->second == Mode::exclusive);
    if (is_held || is_awaited) taken.push_back(place);
  }
  for (std::string& place : taken) {
    Mode& mode = awaited.try_emplace(std::move(place), Mode::shared).first->second;
    if (exclusive) mode = Mode::exclusive;
  }
  if (!taken.empty()) return false;
  for (const std::string& place : request.places) {
    Use& use = uses_[place];
    exclusive ? use.exclusive = true : ++use.shared;
  }
  return true;
}

}  // namespace coffer::core
