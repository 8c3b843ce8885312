#include "core/events/pending_events.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

PendingEvents::PendingEvents(std::vector<std::string> folders)
    : paths_(std::move(folders)), folders_(paths_.size()) {}

bool PendingEvents::Slot::take(Instant now, std::chrono::milliseconds interval) {
  if (!is_pending || now < not_before) return false;
  is_pending = false;
  not_before = now + interval;
  return true;
}

void PendingEvents::note_task(std::string_view id) {
  const auto known = tasks_.find(id);
  if (known != tasks_.end()) {
    known->second.is_pending = true;
  } else if (tasks_.size() < kMostTasks) {
    tasks_.emplace(id, Slot{true});
  } else {
    note_resync();
  }
}

void PendingEvents::for_each(const std::function<void(const Slot&)>& look) const {
  look(resync_);
  look(account_);
  for (const Slot& folder : folders_) look(folder);
  for (const auto& [id, task] : tasks_) look(task);
}

bool PendingEvents::empty() const {
  return next_due() == Instant::max();
}

PendingEvents::Instant PendingEvents::next_due() const {
  if (resync_.is_pending) return resync_.not_before;
  Instant due = Instant::max();
  for_each([&](const Slot& slot) {
    if (slot.is_pending) due = std::min(due, slot.not_before);
  });
  return due;
}

std::vector<Event> PendingEvents::take(Instant now) {
  std::vector<Event> all;
  if (resync_.is_pending) {
    if (!resync_.take(now, kResyncInterval)) return all;
    clear();
    all.push_back({Event::Kind::resync});
    return all;
  }
  if (account_.take(now, kAccountInterval)) all.push_back({Event::Kind::account});
  for (std::size_t index = 0; index < folders_.size(); ++index) {
    if (folders_[index].take(now, kFolderInterval))
      all.push_back({Event::Kind::folder, paths_[index]});
  }
  for (auto& [id, task] : tasks_) {
    if (task.take(now, kTaskInterval)) all.push_back({Event::Kind::task, id});
  }
  forget_told(now);
  return all;
}

void PendingEvents::forget_told(Instant now) {
  std::erase_if(tasks_, [now](const auto& task) {
    return !task.second.is_pending && task.second.not_before <= now;
  });
}

void PendingEvents::clear() {
  account_.is_pending = false;
  for (Slot& folder : folders_) folder.is_pending = false;
  tasks_.clear();
}

}  // namespace coffer::core
