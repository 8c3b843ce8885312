#include "backends/remote/tree_changes.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <ranges>

#include "backends/remote/lost_reply.h"
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
  const auto beside = co_await adapter.list(parent_of(to));
  if (!beside) co_return failure_of(beside);
  co_return std::ranges::find(*beside, name_of(to), &Item::name) == beside->end();
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
  if (!back) spdlog::error("An item on a remote server may be named {} now.", name_of(between));
  co_return moved;
}

Task<Result<void>> move_to_free(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                Kind kind) {
  const auto taken = co_await need_free_name(adapter, to);
  if (!taken && taken.error().code != ErrorCode::exists) co_return taken;
  if (!taken) {
    const auto is_same = co_await is_other_case(adapter, from, to);
    if (!is_same) co_return failure_of(is_same);
    if (!*is_same) co_return taken;
    if (!adapter.capabilities().changes_case) {
      co_return co_await move_over_itself(adapter, from, to, kind);
    }
  } else if (adapter.capabilities().makes_parents) {
    auto there = co_await need_folder(adapter, parent_of(to));
    if (!there) co_return there;
  }
  co_return co_await move_verified(adapter, from, to, kind);
}

/// Succeeds if anything has the name, `not_found` if surely nothing has.
Task<Result<void>> need_taken(Adapter& adapter, const ServerPath& place) {
  const auto item = co_await adapter.find(place, Look::sure);
  if (!item) co_return failure_of(item);
  if (!*item) co_return fail_missing();
  co_return Result<void>();
}

}  // namespace

std::unexpected<Error> fail_into_itself() {
  return fail(ErrorCode::invalid, "A folder cannot go into itself.");
}

Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place) {
  auto item = co_await adapter.find(place, Look::shown);
  if (!item) co_return failure_of(item);
  const bool is_item = *item && (*item)->kind != Kind::other &&
                       ((*item)->kind != Kind::link || adapter.capabilities().keeps_links);
  if (!is_item) co_return fail_missing();
  co_return **std::move(item);
}

Task<Result<void>> make_folders(Adapter& adapter, const Path& folder) {
  if (folder.is_root()) co_return fail_taken();
  auto missing = co_await missing_folders(adapter, folder);
  if (!missing) co_return failure_of(missing);
  ServerPaths target(1, missing->back());
  const auto hold = co_await adapter.names().enter(target);
  auto free = co_await need_free_name(adapter, missing->back());
  if (!free) co_return free;
  co_return co_await make_all(adapter, adapter.capabilities().makes_parents ? target : *missing);
}

Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to) {
  if (from.is_root() || to.is_root()) {
    co_return fail(ErrorCode::forbidden, "The root itself cannot be changed.");
  }
  const auto source = co_await adapter.place_of(from);
  if (!source) co_return failure_of(source);
  const auto target = co_await adapter.place_of(to);
  ServerPaths names(1, *source);
  if (target) names.push_back(*target);
  const auto hold = co_await adapter.names().enter(std::move(names));
  if (target && *source == *target) co_return co_await need_taken(adapter, *source);
  const auto item = co_await need_item(adapter, *source);
  if (!item) co_return failure_of(item);
  if (!target) co_return failure_of(target);
  if (is_beneath(*target, *source)) co_return fail_into_itself();
  const auto moved = co_await move_to_free(adapter, *source, *target, item->kind);
  if (moved) co_await adapter.keep_folder(parent_of(*source));
  co_return moved;
}

}  // namespace coffer::remote
