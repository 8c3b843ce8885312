#include "core/namespace/lock_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "core/namespace/place_text.h"

namespace coffer::core {
namespace {

using catalog::FileLock;

/// All shared folders are in one tree, since they may overlap on the disks.
std::string root_of(AccountId account, const ResolvedPath& place) {
  if (!place.mount || place.owner_files) return std::to_string(place.tree_account(account).value);
  return place.is_on_server() ? place.mount->prefix : std::string();
}

std::string_view above(std::string_view place) {
  return place.substr(0, std::min(place.rfind('/'), place.size()));
}

/// True if the folder that the item is in, or would be, is there.
Task<Result<bool>> has_folder(const ResolvedPath& place) {
  const Path folder = place.path.parent();
  if (folder.is_root()) co_return true;
  const auto there = co_await place.backend->stat(folder);
  if (there) co_return true;
  if (there.error().code != ErrorCode::not_found) co_return failure_of(there);
  co_return false;
}

/// True if the item of this text is new, so that its folder changes too.
Task<Result<bool>> is_new(const ResolvedPath& place) {
  if (place.path.is_root()) co_return false;
  const auto there = co_await place.backend->stat(place.path);
  if (there) co_return false;
  if (there.error().code != ErrorCode::not_found) co_return failure_of(there);
  co_return true;
}

bool is_own(const FileLock& lock, const Principal& principal) {
  if (!principal.lock_tokens || lock.account != principal.account->id) return false;
  return std::ranges::find(*principal.lock_tokens, lock.token) != principal.lock_tokens->end();
}

}  // namespace

Task<Result<catalog::FileLocks::Found>> LockCheck::in_tree_of(AccountId account,
                                                              const ResolvedPath& place) {
  std::string root = root_of(account, place);
  auto known = locks_.find_now(root);
  if (known) co_return known;
  co_return co_await locks_.find(std::move(root));
}

Task<Result<LockPlace>> LockCheck::place_of(AccountId account, ResolvedPath place) {
  LockPlace found{root_of(account, place), {}, {}};
  std::string missing;
  while (true) {
    CO_TRY(const bool is_folder_there, co_await has_folder(place));
    if (is_folder_there) break;
    missing = fmt::format("/{}{}", place.path.name(), missing);
    place.path = place.path.parent();
  }
  if (!place.path.is_root()) CO_TRY_VOID(co_await follow_links(place));
  CO_TRY(found.text, co_await place_text(mounts_, account, place));
  if (found.text.ends_with('/')) found.text.pop_back();
  found.topmost_new = found.text;
  found.text += missing;
  co_return found;
}

Task<Result<void>> LockCheck::of(const Principal& principal, std::vector<PlaceChange> changes) {
  const auto giving_way = co_await look(principal, std::move(changes));
  co_return giving_way ? Result<void>() : failure_of(giving_way);
}

Task<Result<void>> LockCheck::pass(const Principal& principal, std::vector<PlaceChange> changes) {
  CO_TRY(auto giving_way, co_await look(principal, std::move(changes)));
  if (giving_way.empty()) co_return Result<void>{};
  co_return co_await locks_.end(std::move(giving_way));
}

Task<Result<LockCheck::Locks>> LockCheck::look(const Principal& principal,
                                               std::vector<PlaceChange> changes) {
  Locks all;
  for (const PlaceChange& change : changes) {
    CO_TRY(const auto locks, co_await in_tree_of(principal.account->id, change.place));
    if (locks->empty()) continue;
    CO_TRY(auto giving_way, co_await check(principal, change, *locks));
    std::ranges::move(giving_way, std::back_inserter(all));
  }
  co_return all;
}

Task<Result<LockCheck::Locks>> LockCheck::giving_way(AccountId account, const ResolvedPath& place) {
  CO_TRY(const auto locks, co_await in_tree_of(account, place));
  Locks found;
  if (locks->empty()) co_return found;
  CO_TRY(const auto item, co_await place_of(account, place));
  const Timestamp time = now();
  std::ranges::copy_if(*locks, std::back_inserter(found), [&](const FileLock& lock) {
    return lock.gives_way && lock.account == account && lock.expires_at > time &&
           lock.place == item.text;
  });
  co_return found;
}

Task<Result<bool>> LockCheck::may_complete(const Principal& principal, const ResolvedPath& place) {
  if (!principal.lock_tokens) co_return false;
  CO_TRY(const auto locks, co_await giving_way(principal.account->id, place));
  co_return std::ranges::any_of(locks,
                                [&](const FileLock& lock) { return is_own(lock, principal); });
}

Task<Result<std::string>> LockCheck::text_of(AccountId account, const Mount& mount) {
  // Also while the item is being moved, for which opening it would wait.
  if (const auto& given = mount.given) {
    co_return fmt::format("{}/{}", given->owner->id.value, given->item.str());
  }
  CO_TRY(const Path prefix, Path::parse(mount.prefix));
  CO_TRY(auto opened, co_await mounts_.open(account, mount.prefix));
  CO_TRY(auto place, co_await place_of(account, place_in(std::move(opened), prefix)));
  co_return std::move(place.text);
}

Task<Result<bool>> LockCheck::may_take(const FileLock& lock) {
  const auto account = co_await accounts_.get(lock.account);
  if (!account && account.error().code != ErrorCode::not_found) co_return failure_of(account);
  if (!account || account->disabled) co_return false;
  if (lock.root == std::to_string(lock.account.value)) co_return true;
  CO_TRY(const auto mounts, co_await mounts_.of(lock.account));
  for (const Mount& mount : mounts) {
    if (mount.read_only || (mount.only_adds() && !lock.gives_way)) continue;
    const auto text = co_await text_of(lock.account, mount);
    // Where that cannot be known at present, the lock stays.
    if (!text || catalog::is_place_within(lock.place, *text)) co_return true;
  }
  co_return false;
}

Task<Result<void>> LockCheck::end_stale(AccountId account, const ResolvedPath& place,
                                        std::string text) {
  CO_TRY(const auto locks, co_await in_tree_of(account, place));
  Locks stale;
  for (const FileLock& lock : *locks) {
    if (!catalog::is_place_within(lock.place, text) && !covers(lock, text)) continue;
    CO_TRY(const bool is_held, co_await may_take(lock));
    if (!is_held) stale.push_back(lock);
  }
  if (stale.empty()) co_return Result<void>{};
  co_return co_await locks_.end(std::move(stale));
}

Task<Result<LockCheck::Locks>> LockCheck::check(const Principal& principal,
                                                const PlaceChange& change, const Locks& locks) {
  CO_TRY(const auto place, co_await place_of(principal.account->id, change.place));
  const bool leaves = change.kind == PlaceChange::Kind::leave;
  bool changes_folder = leaves;
  const bool only_adds = change.place.mount && change.place.mount->only_adds();
  const Timestamp time = now();
  Locks giving_way;
  std::vector<const FileLock*> in_the_way;
  for (const FileLock& lock : locks) {
    if (lock.expires_at <= time) continue;
    bool is_met = covers(lock, place.text);
    if (!is_met && leaves) is_met = catalog::is_place_within(lock.place, place.text);
    if (!is_met && lock.place == above(place.topmost_new)) {
      if (!changes_folder) {
        CO_TRY(changes_folder, co_await is_new(change.place));
      }
      is_met = changes_folder;
    }
    if (!is_met) continue;
    if (lock.gives_way && !only_adds && !is_own(lock, principal)) {
      giving_way.push_back(lock);
    } else {
      in_the_way.push_back(&lock);
    }
  }
  for (const FileLock* lock : in_the_way) {
    const bool passes = std::ranges::any_of(in_the_way, [&](const FileLock* other) {
      const bool is_for_it = other == lock || (lock->is_shared && other->place == lock->place);
      return is_for_it && is_own(*other, principal);
    });
    if (passes) continue;
    // Seldom: what is locked is mostly left alone.
    CO_TRY(const bool is_held, co_await may_take(*lock));
    if (!is_held) {
      giving_way.push_back(*lock);
      continue;
    }
    co_return fail(ErrorCode::locked,
                   fmt::format("The item is locked by {} since {} (UTC).", lock->account_name,
                               format_timestamp(lock->created_at)));
  }
  co_return giving_way;
}

}  // namespace coffer::core
