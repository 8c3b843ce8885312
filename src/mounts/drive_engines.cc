#include "mounts/drive_engines.h"

#include <algorithm>
#include <utility>

namespace coffer::mounts {

std::shared_ptr<rclone::RcloneProcess> DriveEngines::of(AccountId account) {
  const std::lock_guard lock(mutex_);
  for (const Slot& slot : slots_) {
    const auto user = slot.users.find(account);
    if (user == slot.users.end()) continue;
    if (auto engine = user->second.lock()) return engine;
  }
  Slot& slot = slot_for_another();
  // Tells who uses the engine, which the slot owns.
  const auto lease = std::make_shared<AccountId>(account);
  const std::shared_ptr<rclone::RcloneProcess> engine(lease, slot.engine.get());
  slot.users.insert_or_assign(account, engine);
  return engine;
}

/// With the mutex held. The engine with the fewest users, or a new one if all are used.
DriveEngines::Slot& DriveEngines::slot_for_another() {
  for (Slot& slot : slots_) {
    std::erase_if(slot.users, [](const auto& user) { return user.second.expired(); });
  }
  const auto users = [](const Slot& slot) { return slot.users.size(); };
  const auto least = std::ranges::min_element(slots_, {}, users);
  const bool is_free = least != slots_.end() && least->users.empty();
  if (is_free || slots_.size() >= most_) return *least;
  Slot& added = slots_.emplace_back(make_(slots_.size()));
  if (is_ending_) added.engine->end();
  return added;
}

void DriveEngines::end() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  for (const Slot& slot : slots_) slot.engine->begin_end();
  for (const Slot& slot : slots_) slot.engine->end();
}

}  // namespace coffer::mounts
