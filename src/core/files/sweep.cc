#include "core/files/sweep.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/log.h"
#include "core/files/placement.h"
#include "core/namespace/principal.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::TaskRecord;

Task<Result<void>> remove(ResolvedPath place) {
  const auto followed = co_await follow_links(place);
  if (!followed && followed.error().code == ErrorCode::not_found) co_return Result<void>{};
  if (!followed) co_return followed;
  // No quota counts what has a hidden name.
  const auto removed = co_await place.backend->remove(place.path);
  if (removed || removed.error().code == ErrorCode::not_found) co_return Result<void>{};
  co_return failure_of(removed);
}

std::string tag_of(const ResolvedPath& place) {
  return std::string(storage::partial_tag_of(place.path.name()));
}

/// `task` noted the item, or is null.
Task<void> sweep(catalog::Tasks& tasks, const ResolvedPath& place, const TaskRecord* task) {
  // Any other name may be a user's.
  if (!storage::is_partial_name(place.path.name())) co_return;
  auto swept = co_await remove(place);
  if (swept && task) swept = co_await tasks.clear_orphan(task->account, task->id);
  if (!swept) spdlog::warn("an incomplete item was not removed: {}", swept.error().message);
}

/// The tags of items that an ended server made. Age is no criterion: a copy may take days, and
/// another installation may work in the same place.
Task<Result<std::set<std::string>>> ended_among(catalog::Tasks& tasks,
                                                const std::vector<ResolvedPath>& items) {
  std::set<std::string> tags;
  for (const ResolvedPath& item : items) tags.emplace(tag_of(item));
  co_return co_await tasks.of_ended_runs(std::move(tags));
}

/// The path of the task's incomplete item, if it still can be resolved.
Task<Result<ResolvedPath>> orphan_of(const Namespace& ns, const Principal& principal,
                                     const TaskRecord& task) {
  CO_TRY(const auto path, Path::parse(task.orphan));
  CO_TRY(auto place, co_await ns.resolve(principal, path.parent()));
  place.path = place.path / Path::parse(path.name()).value();
  place.is_top = false;
  co_return place;
}

}  // namespace

Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     std::vector<ResolvedPath> items) {
  const auto left = co_await tasks.orphans(account);
  if (!left) co_return;
  const auto ended = co_await ended_among(tasks, items);
  for (const ResolvedPath& item : items) {
    if (background.is_ending()) co_return;
    const auto task = std::ranges::find(*left, item.account_path().str(), &TaskRecord::orphan);
    const TaskRecord* const noted = task == left->end() ? nullptr : &*task;
    const bool is_abandoned = noted || (ended && ended->contains(tag_of(item)));
    if (is_abandoned) co_await sweep(tasks, item, noted);
  }
}

Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts) {
  const auto tasks = co_await catalog.tasks().orphans();
  if (!tasks || tasks->empty()) co_return;
  const auto accounts = co_await catalog.accounts().list();
  if (!accounts) co_return;
  const Namespace ns(homes, mounts);
  for (const TaskRecord& task : *tasks) {
    const auto owner = std::ranges::find(*accounts, task.account, &catalog::Account::id);
    if (owner == accounts->end()) continue;
    Principal principal;
    principal.account = std::make_shared<const catalog::Account>(*owner);
    const auto place = co_await orphan_of(ns, principal, task);
    if (place) co_await sweep(catalog.tasks(), *place, &task);
  }
}

}  // namespace coffer::core
