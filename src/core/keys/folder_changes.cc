#include "core/keys/folder_changes.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <map>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "catalog/mount_paths.h"
#include "core/keys/change_parts.h"
#include "core/keys/folder_ways.h"
#include "core/keys/key_scopes.h"

namespace coffer::core {
namespace {

using catalog::ScopeChange;
using GrantPtr = std::shared_ptr<const catalog::Grant>;

constexpr int kArrivalLooks = 100;
constexpr auto kLookEvery = std::chrono::milliseconds(20);

/// What is locked together: an account's own files, a connector, a share with those that hold some
/// of the same folders.
std::set<std::string> places_of(AccountId account, const Path& path,
                                const std::vector<ShareFolder>& shares) {
  if (!is_mount_name(path.front())) return {std::to_string(account.value)};
  std::set<std::string> places = {std::string(path.front())};
  for (const Path& top : overlapping_tops(shares, path)) places.insert(top.str());
  return places;
}

/// Adds what tells the folder from others, and where it is copied, the copy. `below` may be gone.
Task<Result<void>> identify(ScopeChange& change, const Path& below, const ResolvedPath& from,
                            const ResolvedPath* to) {
  const bool may_be_gone = !below.is_root();
  const auto there = co_await from.backend->stat(from.path / below);
  if (!there && !may_be_gone) co_return failure_of(there);
  if (there) change.from_identity = change.to_identity = identity_of(*there);
  if (to && to->backend != from.backend) {
    const auto copy = co_await to->backend->stat(to->path / below);
    if (!copy && !may_be_gone) co_return failure_of(copy);
    change.to_identity = copy ? identity_of(*copy) : std::string();
  } else if (to && !may_be_gone && change.from_identity.empty()) {
    // Nothing tells the two apart later, so a name that is taken must not be noted.
    const auto taken = co_await to->backend->stat(to->path);
    if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  }
  co_return Result<void>{};
}

Task<void> pause() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kLookEvery);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

Task<Result<FolderChanges::Change>> FolderChanges::begin(AccountId account,
                                                         const ResolvedPath& from,
                                                         const ResolvedPath* to) {
  auto shares = co_await shares_about(from, to);
  if (!shares) co_return failure_of(std::move(shares));
  std::set<std::string> places = places_of(account, from.account_path(), *shares);
  if (to) places.merge(places_of(account, to->account_path(), *shares));
  auto hold = co_await locks_.take(places, FolderLocks::Mode::shared);
  auto concerned = co_await concerns_keys(account, from, *shares);
  if (concerned && !*concerned && to) concerned = co_await concerns_keys(account, *to, *shares);
  if (!concerned) co_return failure_of(concerned);
  if (!*concerned) {
    co_return Change(*this, std::move(hold), account, from, to, *std::move(shares));
  }
  hold.release();
  // Servers are asked before the places are taken, which others may want.
  const auto ways = co_await describe(account, from, to, *shares, Details::none);
  if (!ways) co_return failure_of(ways);
  auto settled = co_await settle_about(account, *ways);
  if (!settled) co_return failure_of(std::move(settled));
  hold = co_await locks_.take(std::move(places), FolderLocks::Mode::alone);
  auto noted = co_await note(account, from, to, *shares);
  if (!noted) co_return failure_of(std::move(noted));
  Change change(*this, std::move(hold), account, from, to, *std::move(shares));
  change.noted_ = *std::move(noted);
  co_return change;
}

/// All shares, if one of the places is in one.
Task<Result<FolderChanges::Shares>> FolderChanges::shares_about(const ResolvedPath& from,
                                                                const ResolvedPath* to) {
  const bool is_about_shares =
      catalog::is_in_share(from.account_path()) || (to && catalog::is_in_share(to->account_path()));
  if (!is_about_shares) co_return Shares();
  co_return co_await mounts_.share_folders();
}

Task<Result<bool>> FolderChanges::concerns_keys(AccountId account, const ResolvedPath& place,
                                                const Shares& shares) {
  catalog::ScopeChanges& changes = catalog_.scope_changes();
  auto any = co_await changes.concerns(account, place.base);
  for (const Path& top : overlapping_tops(shares, place.base)) {
    if (any && !*any) any = co_await changes.concerns(account, top);
  }
  if (!any || !*any) co_return any;
  const auto ways = co_await describe(account, place, nullptr, shares, Details::none);
  if (!ways) co_return failure_of(ways);
  for (const ScopeChange& way : *ways) {
    const auto concerned = co_await changes.concerns(account, way.from);
    if (!concerned || *concerned) co_return concerned;
  }
  co_return false;
}

Task<Result<FolderChanges::ScopeChangeList>> FolderChanges::describe(AccountId account,
                                                                     const ResolvedPath& from,
                                                                     const ResolvedPath* to,
                                                                     const Shares& shares,
                                                                     Details details) {
  ScopeChange change;
  change.id = random_hex(16);
  change.account = account;
  auto scope = co_await scope_of(from);
  if (!scope) co_return failure_of(std::move(scope));
  change.from = *std::move(scope);
  if (to) {
    auto new_scope = co_await scope_of(*to);
    if (!new_scope) co_return failure_of(std::move(new_scope));
    change.to = *std::move(new_scope);
  }
  ScopeChangeList changes = {std::move(change)};
  for (FolderWay& way : other_ways(shares, changes.front().from, changes.front().to)) {
    changes.push_back({.id = random_hex(16),
                       .account = account,
                       .from = std::move(way.from),
                       .from_identity = {},
                       .to = std::move(way.to),
                       .to_identity = {}});
    if (details == Details::none) continue;
    auto identified = co_await identify(changes.back(), way.below, from, to);
    if (!identified) co_return failure_of(std::move(identified));
  }
  if (details == Details::none) co_return changes;
  auto identified = co_await identify(changes.front(), {}, from, to);
  if (!identified) co_return failure_of(std::move(identified));
  co_return changes;
}

Task<Result<FolderChanges::ScopeChangeList>> FolderChanges::note(AccountId account,
                                                                 const ResolvedPath& from,
                                                                 const ResolvedPath* to,
                                                                 const Shares& shares) {
  auto changes = co_await describe(account, from, to, shares, Details::identities);
  if (!changes) co_return changes;
  for (const ScopeChange& change : *changes) {
    for (const Path* path : {&change.from, change.to ? &*change.to : &change.from}) {
      auto settled = co_await settle_about(account, *path, Where::here);
      if (settled) settled = co_await turn_away(account, *path);
      if (!settled) co_return failure_of(std::move(settled));
    }
  }
  set_live(*changes, true);  // First: from then on no other server decides.
  const auto begun = co_await catalog_.scope_changes().begin(*changes);
  if (!begun || !*begun) set_live(*changes, false);
  if (!begun) co_return failure_of(begun);
  if (!*begun) changes->clear();
  co_return changes;
}

FolderChanges::Change::~Change() {
  changes_->set_live(noted_, false);
}

Task<void> FolderChanges::Change::end(bool done, bool may_be_folder) {
  Result<void> ended;
  const auto on_server = [](const ScopeChange& change) { return is_on_server(change); };
  if (!done && std::ranges::any_of(noted_, on_server)) {
    changes_->set_live(noted_, false);  // What became of it is asked of the server with no hold.
    hold_.release();
  }
  if (!noted_.empty()) {
    ended = co_await end_noted(done);
  } else if (done && may_be_folder) {
    ended = co_await follow_those_made_meanwhile();
  }
  // The keys stay in transit, and the next request with one of them decides.
  if (!ended) spdlog::error("what becomes of keys was not noted: {}", ended.error().message);
  changes_->set_live(noted_, false);
  noted_.clear();
  hold_.release();
}

/// Those that fail do not keep the others from it.
Task<Result<void>> FolderChanges::Change::end_noted(bool done) {
  Result<void> all;
  for (const ScopeChange& change : noted_) {
    Result<void> ended;
    if (done) {
      ended = co_await changes_->catalog_.scope_changes().end(change.id, follow(change));
    } else {
      ended = co_await changes_->settle(change, account_);
    }
    if (!ended) all = std::move(ended);
  }
  co_return all;
}

/// A command beside the server may have made a key between the first look and the change.
Task<Result<void>> FolderChanges::Change::follow_those_made_meanwhile() {
  catalog::ScopeChanges& changes = changes_->catalog_.scope_changes();
  const auto concerned = co_await changes_->concerns_keys(account_, *from_, shares_);
  if (!concerned) co_return failure_of(concerned);
  if (!*concerned) co_return Result<void>{};
  auto described = co_await changes_->describe(account_, *from_, to_, shares_, Details::none);
  if (!described) co_return failure_of(std::move(described));
  const auto begun = co_await changes.begin(*described);
  if (!begun) co_return failure_of(begun);
  noted_ = *std::move(described);
  co_return co_await end_noted(true);
}

Task<Result<FolderLocks::Hold>> FolderChanges::keep_out(AccountId account, const Path& folder) {
  auto settled = co_await settle_about(account, folder, Where::on_servers);
  if (!settled) co_return failure_of(std::move(settled));
  auto hold = co_await locks_.take(places_of(account, folder, {}), FolderLocks::Mode::alone);
  settled = co_await settle_about(account, folder, Where::here);
  if (!settled) co_return failure_of(std::move(settled));
  co_return hold;
}

Task<std::optional<FolderLocks::Hold>> FolderChanges::keep_still(const Principal& principal) {
  if (!principal.scope) co_return std::nullopt;
  auto places = places_of(principal.account->id, *principal.scope, {});
  co_return co_await locks_.take(std::move(places), FolderLocks::Mode::shared);
}

Task<Result<GrantPtr>> FolderChanges::arrived(GrantPtr grant) {
  for (int look = 0; !grant->key.change_id.empty() && look < kArrivalLooks; ++look) {
    if (is_live(grant->key.change_id)) {
      co_await pause();
    } else {
      auto settled =
          co_await settle_about(grant->account.id, *grant->key.folder, Where::on_servers);
      if (!settled) break;
    }
    auto found = co_await catalog_.keys().find(grant->credential.hash);
    if (!found) co_return found;
    grant = *std::move(found);
  }
  if (grant->key.change_id.empty()) co_return grant;
  co_return fail(ErrorCode::not_found,
                 "The folder that this key is limited to is being moved or deleted; try again.");
}

bool FolderChanges::is_live(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return live_.contains(id);
}

void FolderChanges::set_live(const ScopeChangeList& changes, bool live) {
  const std::lock_guard lock(mutex_);
  for (const ScopeChange& change : changes) {
    if (live) {
      live_.insert(change.id);
    } else {
      live_.erase(change.id);
    }
  }
}

}  // namespace coffer::core
