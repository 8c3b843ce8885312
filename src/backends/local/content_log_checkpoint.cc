#include <set>
#include <utility>

#include "backends/local/content_log.h"
#include "backends/local/errno_error.h"
#include "backends/local/fd_path.h"
#include "backends/local/log_recovery.h"
#include "base/log.h"

// How what is in the log comes to the disk, so that the log starts anew.

namespace coffer::local {

void ContentLog::checkpoint_in_background() {
  Lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return is_stopping_ || !entries_.empty(); });
    const auto is_due = [&] {
      const bool is_full = is_refused_ || used_bytes_ >= kCheckpointBytes;
      return is_stopping_ || (is_full && !is_broken_);
    };
    wake_.wait_for(lock, options_.checkpoint_after, is_due);
    if (is_stopping_) return;
    lock.unlock();
    checkpoint();
    lock.lock();
  }
}

bool ContentLog::checkpoint() {
  const std::lock_guard one(checkpoint_mutex_);
  // The file that could not be settled the last time comes first.
  if (is_broken_ && !settle(1 - active_)) return false;
  std::size_t full = 0;
  {
    Lock lock(mutex_);
    full = begin_checkpoint(lock);
  }
  return settle(full);
}

bool ContentLog::settle(std::size_t full) {
  for (const auto& root : roots_to_sync()) {
    if (const int error = root->sync_file_system(); error != 0) give_up(*root, error);
  }
  int error = 0;
  if (const auto& file = files_.at(full)) {
    error = kept_.keep(kLogNames.at(full), [this] { return not_taken(); });
    if (error == 0) error = file->clear();
  }
  return end_checkpoint(error);
}

/// From here on the log is filled in the other file; returns which one was.
std::size_t ContentLog::begin_checkpoint(Lock& lock) {
  const std::size_t full = std::exchange(active_, 1 - active_);
  checkpointing_ = next_begins_;
  is_refused_ = false;
  used_bytes_ = 0;
  stored_.wait(lock, [&] { return storing_to_ != full; });
  // Files that begin to show have to be there before the disk is synced; no others begin.
  shown_.wait(lock, [&] { return showing_.empty() || *showing_.begin() > checkpointing_; });
  return full;
}

/// One of each file system.
ContentLog::Roots ContentLog::roots_to_sync() const {
  const Lock lock(mutex_);
  std::set<const Root*> seen;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<const Root>> roots;
  for (const auto& [path, entry] : entries_) {
    if (entry.sequence > checkpointing_ || !seen.insert(entry.root.get()).second) continue;
    if (entry.root->is_failing) continue;
    roots.emplace(entry.root->device, entry.root);
  }
  Roots result;
  for (auto& [device, root] : roots) result.push_back(std::move(root));
  return result;
}

/// What is settled now, but whose disk failed.
KeptContents::Sequences ContentLog::not_taken() const {
  const Lock lock(mutex_);
  KeptContents::Sequences sequences;
  for (const auto& [path, entry] : entries_) {
    const bool is_settled = entry.sequence <= checkpointing_;
    if (is_settled && entry.root->is_failing) sequences.insert(entry.sequence);
  }
  return sequences;
}

/// The disk of a root failed: nothing more of it is logged.
void ContentLog::give_up(const Root& failed, int error) {
  spdlog::error("the disk of {} did not take small files, which are kept for the next start: {}",
                fd_path(failed.get()).value_or("a folder"), errno_error(error).message);
  const Lock lock(mutex_);
  failed.is_failing = true;
  for (const auto& [path, entry] : entries_) {
    if (entry.root->device == failed.device) entry.root->is_failing = true;
  }
}

bool ContentLog::end_checkpoint(int error) {
  const Lock lock(mutex_);
  is_broken_ = error != 0;
  if (error == 0) {
    std::erase_if(entries_,
                  [&](const auto& entry) { return entry.second.sequence <= checkpointing_; });
  } else {
    spdlog::error("the content log cannot be settled: {}", errno_error(error).message);
  }
  return error == 0;
}

}  // namespace coffer::local
