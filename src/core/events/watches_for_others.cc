#include "core/events/watches_for_others.h"

#include <utility>

#include "base/cleared_flag.h"
#include "base/log.h"
#include "core/namespace/principal.h"

namespace coffer::core {

using catalog::WatchedFolder;
using catalog::WatchedFolders;

void WatchesForOthers::Changes::add(const WatchedFolder& folder, storage::FolderNotice notice) {
  const std::lock_guard lock(mutex);
  folders.insert(folder);
  has_lost |= notice != storage::FolderNotice::changed;
}

Task<void> WatchesForOthers::look() {
  catalog::SharedEvents& shared = catalog_.shared_events();
  if (!shared.are_needed()) co_return;
  const WatchedFolders changed = take_changes();
  const auto wanted = co_await shared.exchange(events_.watched(), changed);
  if (!wanted) {
    const std::lock_guard lock(changes_->mutex);
    changes_->folders.insert(changed.begin(), changed.end());
    co_return;
  }
  co_await deliver();
  if (std::exchange(is_following_, true)) co_return;
  // A disk that hangs must not keep events from clients.
  background_.spawn(follow_and_end(*wanted));
}

WatchedFolders WatchesForOthers::take_changes() {
  const std::lock_guard lock(changes_->mutex);
  return std::exchange(changes_->folders, {});
}

Task<void> WatchesForOthers::follow_and_end(WatchedFolders wanted) {
  const ClearedFlag cleared(is_following_);
  co_await follow(wanted);
}

/// A mount that leads elsewhere by now, or whose folder was replaced, is watched anew.
Task<void> WatchesForOthers::follow(const WatchedFolders& wanted) {
  const auto mark = co_await catalog_.rights_marks().read();
  bool has_lost = false;
  {
    const std::lock_guard lock(changes_->mutex);
    has_lost = std::exchange(changes_->has_lost, false);
  }
  const bool is_anew = !mark || has_lost || mark_ != *mark;
  const auto before = is_anew ? std::exchange(watched_, {}) : decltype(watched_)();
  mark_ = mark ? std::optional(*mark) : std::nullopt;
  std::erase_if(watched_, [&](const auto& each) { return !wanted.contains(each.first); });
  for (const WatchedFolder& folder : wanted) {
    if (watched_.contains(folder)) continue;
    auto begun = co_await watch(folder);
    if (!begun) continue;
    watched_.emplace(folder, *std::move(begun));
    // It may have changed before it was watched.
    changes_->add(folder, storage::FolderNotice::changed);
  }
}

/// A folder that cannot be watched now, such as one on a server that is away, is tried again by the
/// next look.
Task<std::optional<WatchesForOthers::Watched>> WatchesForOthers::watch(
    const WatchedFolder& folder) {
  const auto account = co_await catalog_.accounts().get(folder.account);
  if (!account) co_return std::nullopt;
  Principal principal;
  principal.account = std::make_shared<const catalog::Account>(*account);
  auto resolved = co_await namespace_.resolve(principal, folder.path);
  if (!resolved) co_return std::nullopt;
  Watched begun{*std::move(resolved), nullptr};
  auto listener = [changes = std::weak_ptr(changes_), folder](storage::FolderNotice notice) {
    if (const auto known = changes.lock()) known->add(folder, notice);
  };
  begun.watch = co_await begun.folder.backend->watch(begun.folder.path, std::move(listener));
  co_return begun;
}

Task<void> WatchesForOthers::deliver() {
  const auto news = co_await catalog_.shared_events().news();
  if (!news) co_return;  // Told by the next look.
  for (const WatchedFolder& folder : news->folders) events_.folder_changed(folder);
  for (const auto& [account, task] : news->tasks) events_.task_changed(account, task);
  for (const AccountId account : news->usages) events_.used_changed(account);
}

}  // namespace coffer::core
