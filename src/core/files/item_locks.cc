#include "core/files/item_locks.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/random.h"

namespace coffer::core {
namespace {

using catalog::FileLock;

std::unexpected<Error> no_such_lock() {
  return fail(ErrorCode::not_found, "The item has no such lock of this account.");
}

bool is_of_own_files(const FileLock& lock, const Principal& principal) {
  return lock.root == std::to_string(principal.account->id.value);
}

/// `scope` is the text of the principal's folder; empty if it is not limited.
bool may_end(const FileLock& lock, const Principal& principal, std::string_view scope) {
  if (principal.read_only) return false;
  if (!scope.empty() && !catalog::is_place_within(lock.place, scope)) return false;
  if (lock.account == principal.account->id || is_of_own_files(lock, principal)) return true;
  return scope.empty() && principal.account->role == catalog::Role::admin;
}

/// Returns the path of a locked item, which is above the item or in it. `depth` is that of the item
/// in its tree.
std::optional<Path> path_of(const FileLock& lock, std::string_view text, const Path& item,
                            std::size_t depth) {
  if (catalog::is_place_within(lock.place, text)) {
    const std::string_view rest = std::string_view(lock.place).substr(text.size());
    if (rest.empty()) return item;
    auto below = Path::parse(rest.substr(1));
    return below ? std::optional(item / *below) : std::nullopt;
  }
  const auto levels = static_cast<std::size_t>(
      std::ranges::count(text.substr(std::min(lock.place.size(), text.size())), '/'));
  if (levels > depth) return std::nullopt;
  Path above = item;
  for (std::size_t i = 0; i < levels; ++i) above = above.parent();
  return above;
}

/// The text of own files begins with the number of their account, which tells people nothing.
std::string place_for_people(const FileLock& lock) {
  const bool is_own = !lock.root.empty() && !is_mount_name(lock.root);
  return is_own ? "/" + lock.place.substr(std::min(lock.root.size() + 1, lock.place.size()))
                : lock.place;
}

bool only_adds(const ResolvedPath& place) {
  return place.mount && place.mount->only_adds();
}

std::chrono::seconds within_bounds(std::chrono::seconds lasts) {
  return std::clamp(lasts, ItemLocks::kShortest, ItemLocks::kLongest);
}

}  // namespace

LocksAround::LocksAround(std::string place, const LockCheck::Locks& locks, bool is_one_file)
    : place_(std::move(place)), is_one_file_(is_one_file) {
  std::ranges::copy_if(locks, std::back_inserter(locks_), [this](const FileLock& lock) {
    const std::string_view above = std::string_view(lock.place).substr(0, lock.place.rfind('/'));
    return covers(lock, place_) || above == place_;
  });
}

std::size_t LocksAround::bytes_for_each() const {
  constexpr std::size_t kMarkup = 1'024;
  std::size_t bytes = 0;
  for (const FileLock& lock : locks_) {
    if (lock.is_deep && covers(lock, place_)) bytes += kMarkup + lock.owner.size();
  }
  return bytes;
}

std::string LocksAround::text_of(std::string_view name) const {
  std::string text = place_;
  if (!name.empty() && !is_one_file_) text.append("/").append(name);
  return text;
}

std::vector<FileLock> LocksAround::of(std::string_view name) const {
  std::vector<FileLock> found;
  if (locks_.empty()) return found;
  const std::string text = text_of(name);
  const Timestamp time = now();
  std::ranges::copy_if(locks_, std::back_inserter(found), [&](const FileLock& lock) {
    return lock.expires_at > time && covers(lock, text);
  });
  return found;
}

std::size_t LocksAround::levels_above(const FileLock& lock, std::string_view name) const {
  const std::string text = text_of(name);
  const std::string_view rest =
      std::string_view(text).substr(std::min(lock.place.size(), text.size()));
  return static_cast<std::size_t>(std::ranges::count(rest, '/'));
}

Task<Result<FileLock>> ItemLocks::new_lock(const Principal& principal, ResolvedPath place,
                                           Wanted wanted) {
  if (wanted.owner.size() > catalog::kMostLockOwnerBytes) {
    co_return fail(ErrorCode::invalid, "The lock's owner is too long.");
  }
  FileLock lock;
  lock.gives_way = only_adds(place);
  CO_TRY(auto text,
         co_await access_recheck_.locks().place_of(principal.account->id, std::move(place)));
  lock.token = "urn:uuid:" + random_uuid();
  lock.root = std::move(text.root);
  lock.place = std::move(text.text);
  lock.account = principal.account->id;
  lock.account_name = principal.account->name;
  if (principal.key) lock.key = principal.key->value;
  lock.is_deep = wanted.is_deep;
  lock.is_shared = wanted.is_shared;
  lock.owner = std::move(wanted.owner);
  lock.created_at = now();
  lock.expires_at = lock.created_at + within_bounds(wanted.lasts);
  co_return lock;
}

Task<Result<ItemLocks::Taken>> ItemLocks::take(const Principal& principal, const Path& item,
                                               Wanted wanted) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, item, Access::add));
  Taken taken;
  if (only_adds(place)) {
    const auto there = co_await place.backend->stat(place.path);
    if (!there && there.error().code != ErrorCode::not_found) co_return failure_of(there);
    taken.is_for_new = !there;
    CO_TRY(const auto made,
           co_await access_recheck_.locks().giving_way(principal.account->id, place));
    if (there && made.empty()) co_return may_only_add(*place.mount);
  }
  CO_TRY(taken.lock, co_await new_lock(principal, place, std::move(wanted)));
  auto done = co_await locks_.take(taken.lock);
  if (!done && done.error().code == ErrorCode::locked) {
    CO_TRY_VOID(
        co_await access_recheck_.locks().end_stale(principal.account->id, place, taken.lock.place));
    done = co_await locks_.take(taken.lock);
  }
  if (!done) co_return failure_of(std::move(done));
  co_return taken;
}

Task<Result<void>> ItemLocks::note_made(const Principal& principal, const Path& file,
                                        storage::FileVersion version) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, file, Access::add));
  if (!only_adds(place)) co_return Result<void>{};
  Wanted wanted;
  wanted.is_shared = true;  // So that the account's next lock takes its place.
  wanted.lasts = kShortest;
  CO_TRY(auto lock, co_await new_lock(principal, place, std::move(wanted)));
  std::string token = lock.token;
  CO_TRY_VOID(co_await locks_.take(std::move(lock)));
  // Who changes it from now on ends the lock, but somebody may have done so before.
  const auto there = co_await place.backend->stat(place.path);
  if (there && version_of(*there) == version) co_return Result<void>{};
  co_return co_await locks_.release(principal.account->id, std::move(token));
}

Task<Result<void>> ItemLocks::check(const Principal& principal, const Path& item,
                                    PlaceChange::Kind change) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, item, Access::add));
  std::vector<PlaceChange> changes = {{place, change}};
  co_return co_await access_recheck_.locks().of(principal, std::move(changes));
}

Task<Result<LocksAround>> ItemLocks::around(const Principal& principal, const Path& item) {
  CO_TRY(auto resolved, co_await namespace_.resolve(principal, item));
  const AccountId account = principal.account->id;
  CO_TRY(auto locks, co_await access_recheck_.locks().in_tree_of(account, resolved));
  if (locks->empty()) co_return LocksAround();
  const bool is_one_file = resolved.is_of_one_file() && resolved.path.is_root();
  auto place = co_await access_recheck_.locks().place_of(account, std::move(resolved));
  // Where the folder is missing, nothing is locked.
  if (!place && place.error().code == ErrorCode::not_found) co_return LocksAround();
  if (!place) co_return failure_of(std::move(place));
  co_return LocksAround(std::move(place->text), *locks, is_one_file);
}

Task<Result<LocksAround>> ItemLocks::around_mount(const Principal& principal, const Mount& mount) {
  ResolvedPath top;
  CO_TRY(top.base, Path::parse(mount.prefix));
  if (mount.given) co_return co_await around(principal, top.base);
  top.mount = mount;
  top.is_top = true;
  const AccountId account = principal.account->id;
  CO_TRY(auto locks, co_await access_recheck_.locks().in_tree_of(account, top));
  if (locks->empty()) co_return LocksAround();
  CO_TRY(auto place, co_await access_recheck_.locks().place_of(account, std::move(top)));
  co_return LocksAround(std::move(place.text), *locks);
}

/// Returns the text of the folder that the principal is limited to; empty if it is not limited.
Task<Result<std::string>> ItemLocks::scope_of(const Principal& principal) {
  if (!principal.scope) co_return std::string();
  CO_TRY(auto top, co_await namespace_.resolve(principal, Path()));
  CO_TRY(auto scope,
         co_await access_recheck_.locks().place_of(principal.account->id, std::move(top)));
  co_return std::move(scope.text);
}

Task<Result<FileLock>> ItemLocks::find_own(const Principal& principal, const Path& item,
                                           const std::string& token) {
  CO_TRY(const auto around, co_await this->around(principal, item));
  const auto found = around.of();
  const auto lock = std::ranges::find(found, token, &FileLock::token);
  if (lock == found.end()) co_return no_such_lock();
  if (lock->account != principal.account->id) {
    co_return fail(ErrorCode::forbidden, "The lock is another account's.");
  }
  if (!principal.scope) co_return *lock;
  CO_TRY(const auto scope, co_await scope_of(principal));
  if (!catalog::is_place_within(lock->place, scope)) {
    co_return fail(ErrorCode::forbidden, "The lock is of a folder that this key does not reach.");
  }
  co_return *lock;
}

Task<Result<FileLock>> ItemLocks::refresh(const Principal& principal, const Path& item,
                                          std::string token, std::chrono::seconds lasts) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, item, Access::add));
  CO_TRY(const auto lock, co_await find_own(principal, item, token));
  if (only_adds(place) && !lock.gives_way) co_return may_only_add(*place.mount);
  co_return co_await locks_.refresh(principal.account->id, std::move(token),
                                    now() + within_bounds(lasts));
}

Task<Result<void>> ItemLocks::release(const Principal& principal, const Path& item,
                                      std::string token) {
  CO_TRY([[maybe_unused]] const auto lock, co_await find_own(principal, item, token));
  co_return co_await locks_.release(principal.account->id, std::move(token));
}

Task<Result<void>> ItemLocks::forget(const Principal& principal, const Path& item) {
  CO_TRY(auto resolved, co_await namespace_.resolve(principal, item));
  const AccountId account = principal.account->id;
  CO_TRY(const auto locks, co_await access_recheck_.locks().in_tree_of(account, resolved));
  if (locks->empty()) co_return Result<void>{};
  CO_TRY(auto place, co_await access_recheck_.locks().place_of(account, std::move(resolved)));
  const bool has_some = std::ranges::any_of(*locks, [&](const FileLock& lock) {
    return catalog::is_place_within(lock.place, place.text);
  });
  if (!has_some) co_return Result<void>{};
  co_return co_await locks_.forget(std::move(place.root), std::move(place.text));
}

Task<Result<std::vector<SeenLock>>> ItemLocks::list(const Principal& principal, const Path& item) {
  CO_TRY(auto resolved, co_await namespace_.resolve(principal, item));
  const auto there = co_await resolved.backend->stat(resolved.path);
  if (!there) co_return failure_of(there);
  const AccountId account = principal.account->id;
  const std::size_t depth = resolved.path.depth();
  CO_TRY(const auto locks, co_await access_recheck_.locks().in_tree_of(account, resolved));
  std::vector<SeenLock> seen;
  if (locks->empty()) co_return seen;
  CO_TRY(const auto place, co_await access_recheck_.locks().place_of(account, std::move(resolved)));
  CO_TRY(const auto scope, co_await scope_of(principal));
  const Timestamp time = now();
  for (const FileLock& lock : *locks) {
    if (lock.expires_at <= time || seen.size() == kMostSeen) continue;
    if (!covers(lock, place.text) && !catalog::is_place_within(lock.place, place.text)) continue;
    seen.push_back({lock, path_of(lock, place.text, item, depth), may_end(lock, principal, scope)});
  }
  co_return seen;
}

Task<Result<void>> ItemLocks::end(const Principal& principal, std::string token) {
  CO_TRY_VOID(check_may_write(principal));
  CO_TRY(auto lock, co_await locks_.find_by_token(std::move(token)));
  CO_TRY(const auto scope, co_await scope_of(principal));
  if (!may_end(lock, principal, scope)) {
    co_return fail(ErrorCode::forbidden,
                   "Only the account that has the lock, the owner of the files and administrators "
                   "may end it.");
  }
  const AccountId account = principal.account->id;
  if (lock.account == account) {
    co_return co_await locks_.release(account, std::move(lock.token));
  }
  std::string where = place_for_people(lock);
  auto asker = asker_of(principal);
  co_return co_await locks_.break_lock(account, std::move(lock), std::move(where),
                                       std::move(asker));
}

}  // namespace coffer::core
