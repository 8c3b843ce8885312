#include "mounts/drive_engines.h"

#include <algorithm>

namespace coffer::mounts {
namespace {

/// Exists while somebody holds the engine of an account. It does not own the engine.
struct Lease {};

}  // namespace

std::shared_ptr<rclone::RcloneProcess> DriveEngines::of(std::optional<AccountId> account) {
  const std::lock_guard lock(mutex_);
  for (const Slot& slot : slots_) {
    const auto user = slot.users.find(account);
    if (user == slot.users.end()) continue;
    if (auto engine = user->second.lock()) return engine;
  }
  Slot& slot = slot_for(account);
  const std::shared_ptr<rclone::RcloneProcess> engine(std::make_shared<Lease>(), slot.engine.get());
  slot.users.insert_or_assign(account, engine);
  slot.last_user = account;
  return engine;
}

// Call these with the mutex held.

DriveEngines::Slot& DriveEngines::slot_for(User user) {
  for (Slot& slot : slots_) {
    std::erase_if(slot.users, [](const auto& one) { return one.second.expired(); });
  }
  if (Slot* const slot = free_slot_for(user)) return *slot;
  if (slots_.size() >= most_) {
    return *std::ranges::min_element(slots_, {},
                                     [](const Slot& slot) { return slot.users.size(); });
  }
  Slot& added = slots_.emplace_back(make_(slots_.size()));
  if (is_ending_) added.engine->request_end();
  return added;
}

/// The one that the user had before, or one in which nothing of others is left.
DriveEngines::Slot* DriveEngines::free_slot_for(User user) {
  const auto is_had = [&](const Slot& slot) {
    return slot.users.empty() && slot.last_user == user;
  };
  const auto is_clean = [](const Slot& slot) {
    return slot.users.empty() && !slot.engine->is_running();
  };
  auto found = std::ranges::find_if(slots_, is_had);
  if (found == slots_.end()) found = std::ranges::find_if(slots_, is_clean);
  return found == slots_.end() ? nullptr : &*found;
}

void DriveEngines::request_end() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  for (const Slot& slot : slots_) slot.engine->request_end();
}

void DriveEngines::end() {
  request_end();
  std::vector<rclone::RcloneProcess*> engines;
  {
    const std::lock_guard lock(mutex_);
    for (const Slot& slot : slots_) engines.push_back(slot.engine.get());
  }
  for (auto* const engine : engines) engine->end();
}

}  // namespace coffer::mounts
