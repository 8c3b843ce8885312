#include "backends/remote/tree_changes.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <ranges>

#include "backends/remote/removal.h"
#include "backends/remote/walk.h"
#include "base/text.h"

namespace coffer::remote {
namespace {

/// The folder and those above it that are not there, the highest first.
Task<Result<ServerPaths>> missing_folders(Adapter& adapter, const Path& folder) {
  Path there = folder.parent();
  auto found = co_await adapter.find_item(there, Look::parent);
  while (!found && is_not_found(found.error()) && !there.is_root()) {
    there = there.parent();
    found = co_await adapter.find_item(there, Look::parent);
  }
  if (!found) co_return failure_of(found);
  if (found->item.kind != Kind::folder) co_return fail_no_folder();
  ServerPaths missing;
  const Path way = folder.relative_to(there);
  for (const auto name : way.components()) {
    missing.push_back(in_folder(missing.empty() ? found->place : missing.back(), name));
  }
  co_return missing;
}

/// False if it stands, but was made by another: for one on the way that is as good.
Task<Result<bool>> make_one(Adapter& adapter, const ServerPath& folder, bool is_on_the_way) {
  const auto made = co_await adapter.make_folder(folder);
  if (made) co_return true;
  const bool is_unsure = adapter.is_unsure();
  if (!is_unsure && !is_on_the_way) co_return failure_of(made);
  const auto item = co_await adapter.find(folder, Look::sure);
  if (!item || !*item) co_return failure_of(made);
  if ((*item)->kind == Kind::folder) co_return is_unsure;
  // A link that leads nowhere, as far as this backend goes.
  if (is_on_the_way) co_return fail_missing();
  co_return failure_of(made);
}

Task<Result<void>> make_all(Adapter& adapter, const ServerPaths& folders) {
  ServerPaths made;
  for (const ServerPath& folder : folders) {
    const auto one = co_await make_one(adapter, folder, &folder != &folders.back());
    if (one && *one) made.push_back(folder);
    if (one) continue;
    for (; !made.empty(); made.pop_back()) {
      // Others may have put something into it meanwhile: then it stays, and so do those above.
      const auto gone = co_await remove_folder_verified(adapter, made.back());
      if (!gone) break;
    }
    co_return failure_of(one);
  }
  co_return Result<void>();
}

/// On a server that does not tell case, the new name shows the item itself: the listing tells.
Task<Result<bool>> is_other_case(Adapter& adapter, const ServerPath& from, const ServerPath& to) {
  if (!equal_ignoring_case(from, to)) co_return false;
  CO_TRY(const auto beside, co_await adapter.list(parent_of(to)));
  co_return std::ranges::find(beside, name_of(to), &Item::name) == beside.end();
}

/// In between it has a name that shows and that is never swept: should it come to stay so, its
/// owner finds it.
Task<Result<void>> move_over_itself(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                    Kind kind) {
  const ServerPath between = backup_beside(from);
  auto moved = co_await move_verified(adapter, from, between, kind);
  if (moved) moved = co_await move_verified(adapter, between, to, kind);
  if (moved) co_return moved;
  const auto left = co_await adapter.find(between, Look::sure);
  if (left && !*left) co_return moved;
  const auto back = co_await move_verified(adapter, between, from, kind);
  if (!back)
    spdlog::error("A failed rename on a remote server may have left the item under the name {}.",
                  name_of(between));
  co_return moved;
}

Task<Result<void>> move_to_free(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                Kind kind) {
  const auto taken = co_await need_free_name(adapter, to);
  if (!taken && taken.error().code != ErrorCode::exists) co_return taken;
  if (!taken) {
    CO_TRY(const auto is_same, co_await is_other_case(adapter, from, to));
    if (!is_same) co_return taken;
    if (!adapter.capabilities().changes_case) {
      co_return co_await move_over_itself(adapter, from, to, kind);
    }
  } else if (adapter.capabilities().makes_parents) {
    CO_TRY_VOID(co_await need_folder(adapter, parent_of(to)));
  }
  co_return co_await move_verified(adapter, from, to, kind);
}

/// Succeeds if anything has the name, `not_found` if surely nothing has.
Task<Result<void>> need_taken(Adapter& adapter, const ServerPath& place) {
  CO_TRY(const auto item, co_await adapter.find(place, Look::sure));
  if (!item) co_return fail_missing();
  co_return Result<void>();
}

std::unexpected<Error> fail_into_itself() {
  return fail(ErrorCode::invalid, "A folder cannot go into itself.");
}

/// A file or a tree on its way to a new place, item by item.
class TreeCopy {
 public:
  TreeCopy(Adapter& adapter, const Found& source, const ServerPath& target,
           const storage::CopyOptions& options)
      : adapter_(adapter),
        source_(source),
        target_(target),
        limit_bytes_(options.limit_bytes),
        watch_(options.watch) {}

  Task<Result<storage::TreeSize>> run();

 private:
  Task<Result<void>> copy_folders();
  Task<Result<void>> copy_folder(const WalkedFolder& folder);
  Task<Result<void>> copy_file(const ServerPath& from, const Item& item);
  Task<Result<void>> set_times();
  std::unexpected<Error> vanished(const Error& error) const;
  /// Returns the place in the copy of a place in the source.
  ServerPath in_copy(const ServerPath& place) const {
    return target_ + place.substr(source_.place.size());
  }

  Adapter& adapter_;
  const Found& source_;
  const ServerPath& target_;
  const std::uint64_t limit_bytes_;
  storage::CopyWatch& watch_;
  storage::TreeSize size_;
  std::vector<std::pair<ServerPath, Timestamp>> folder_times_;
};

Task<Result<storage::TreeSize>> TreeCopy::run() {
  auto copying =
      source_.item.kind == Kind::folder ? copy_folders() : copy_file(source_.place, source_.item);
  auto copied = co_await std::move(copying);
  if (copied) copied = storage::go_on(watch_);
  if (!copied) co_return failure_of(std::move(copied));
  co_return size_;
}

Task<Result<void>> TreeCopy::copy_folders() {
  Walk walk(adapter_, source_, Walk::Through::shown);
  for (;;) {
    CO_TRY_VOID(storage::go_on(watch_));
    const auto folder = co_await walk.next();
    if (!folder) co_return vanished(folder.error());
    if (!*folder) break;
    CO_TRY_VOID(co_await copy_folder(**folder));
  }
  co_return co_await set_times();
}

Task<Result<void>> TreeCopy::copy_folder(const WalkedFolder& folder) {
  const ServerPath target = in_copy(folder.place);
  CO_TRY_VOID(co_await adapter_.make_folder(target));
  ++size_.folders;
  folder_times_.emplace_back(target, folder.modified_at);
  watch_.completed_item();
  for (const Item& item : folder.items) {
    if (!counts(item) || item.kind == Kind::folder) continue;
    const ServerPath place = in_folder(folder.place, item.name);
    CO_TRY_VOID(co_await copy_file(place, item));
  }
  co_return Result<void>();
}

Task<Result<void>> TreeCopy::copy_file(const ServerPath& from, const Item& item) {
  CO_TRY_VOID(storage::go_on(watch_));
  const ServerPath to = in_copy(from);
  CO_TRY(const auto bytes,
         co_await adapter_.copy_file(from, to, item, limit_bytes_ - size_.bytes, watch_));
  size_.bytes += bytes;
  ++size_.files;
  watch_.completed_item();
  co_return Result<void>();
}

/// Sets the times of folders, at the end, since adding an item changes its folder's time.
Task<Result<void>> TreeCopy::set_times() {
  for (const auto& [place, time] : folder_times_ | std::views::reverse) {
    if (time == Timestamp()) continue;
    CO_TRY_VOID(storage::go_on(watch_));
    CO_TRY_VOID(co_await adapter_.set_time(place, time));
  }
  co_return Result<void>();
}

std::unexpected<Error> TreeCopy::vanished(const Error& error) const {
  if (!is_not_found(error) || !adapter_.capabilities().tells_vanished) {
    return std::unexpected(error);
  }
  return fail_changed();
}

/// After a stop the caller waits for this; after a failure of the server it may run behind.
Task<void> rollback(Adapter& adapter, const ServerPath& staged, const storage::CopyWatch& watch) {
  if (watch.was_cancelled()) {
    const auto gone = co_await delete_at(adapter, staged);
    if (gone) co_return;
  }
  adapter.leftovers().add(staged);
}

Task<Result<storage::TreeSize>> copy_to(Adapter& adapter, const Found& source,
                                        const ServerPath& staged,
                                        const storage::CopyOptions& options) {
  if (adapter.capabilities().copies_trees) {
    co_return co_await adapter.copy_tree(source, staged, options);
  }
  TreeCopy copy(adapter, source, staged, options);
  co_return co_await copy.run();
}

Task<Result<void>> show(Adapter& adapter, const CollectedCopy& copy) {
  ServerPaths names(1, copy.target);
  const auto hold = co_await adapter.names().enter(std::move(names));
  CO_TRY_VOID(co_await need_free_name(adapter, copy.target));
  if (adapter.capabilities().makes_parents) {
    CO_TRY_VOID(co_await need_folder(adapter, parent_of(copy.target)));
  }
  co_return co_await move_verified(adapter, copy.staged, copy.target, copy.kind);
}

}  // namespace

Task<Result<void>> make_folders(Adapter& adapter, const Path& folder) {
  if (folder.is_root()) co_return fail_taken();
  CO_TRY(auto missing, co_await missing_folders(adapter, folder));
  ServerPaths target(1, missing.back());
  const auto hold = co_await adapter.names().enter(target);
  CO_TRY_VOID(co_await need_free_name(adapter, missing.back()));
  co_return co_await make_all(adapter, adapter.capabilities().makes_parents ? target : missing);
}

Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to) {
  if (from.is_root() || to.is_root()) {
    co_return fail(ErrorCode::forbidden, "The root itself cannot be changed.");
  }
  CO_TRY(const auto source, co_await adapter.place_of(from));
  const auto target = co_await adapter.place_of(to);
  ServerPaths names(1, source);
  if (target) names.push_back(*target);
  const auto hold = co_await adapter.names().enter(std::move(names));
  if (target && source == *target) co_return co_await need_taken(adapter, source);
  CO_TRY(const auto item, co_await need_item(adapter, source));
  if (!target) co_return failure_of(target);
  if (is_beneath(*target, source)) co_return fail_into_itself();
  const auto moved = co_await move_to_free(adapter, source, *target, item.kind);
  if (moved) co_await adapter.keep_folder(parent_of(source));
  co_return moved;
}

Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options) {
  CO_TRY(const auto source, co_await adapter.find_item(from, Look::shown));
  CO_TRY(const auto target, co_await adapter.place_of(to));
  const Kind kind = source.item.kind;
  if (kind == Kind::folder && is_beneath(target, source.place)) co_return fail_into_itself();
  if (to.is_root()) co_return fail_taken();
  auto free = co_await need_free_name(adapter, target);
  if (free) free = co_await need_folder(adapter, parent_of(target));
  if (!free) co_return failure_of(std::move(free));
  CollectedCopy copy{in_folder(parent_of(target), staging), target, kind};
  const auto copied = co_await copy_to(adapter, source, copy.staged, options);
  if (copied) {
    copy.size = *copied;
    co_return copy;
  }
  co_await rollback(adapter, copy.staged, options.watch);
  co_return failure_of(copied);
}

Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch) {
  if (may_show) may_show = co_await show(adapter, copy);
  if (!may_show) co_await rollback(adapter, copy.staged, watch);
  co_return may_show;
}

}  // namespace coffer::remote
