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
#include "core/keys/key_scopes.h"
#include "core/keys/scope_fates.h"

namespace coffer::core {
namespace {

using catalog::ScopeChange;
using GrantPtr = std::shared_ptr<const catalog::Grant>;

constexpr int kArrivalLooks = 100;
constexpr auto kLookEvery = std::chrono::milliseconds(20);

/// What is locked together: an account's own files, a share, a connector.
std::string place_of(AccountId account, const Path& path) {
  if (is_mount_name(path.front())) return std::string(path.front());
  return std::to_string(account.value);
}

bool is_on_server(const Path& path) {
  return path.front().starts_with(catalog::kConnectorPrefix);
}

catalog::ScopeChanges::Follow follow(const ScopeChange& change) {
  return [from = change.from, to = change.to](const Path& scope) -> std::optional<Path> {
    if (!to) return std::nullopt;
    return *to / scope.relative_to(from);
  };
}

/// The account of the change, or, if that is gone, another that sees the share which it is about.
/// What it took to a place of its own is gone with it.
Task<Result<Principal>> who_sees(catalog::Accounts& accounts, ScopeChange& change, AccountId as) {
  auto account = co_await accounts.get(change.account);
  if (!account && account.error().code == ErrorCode::not_found) {
    if (change.to && !catalog::is_in_share(*change.to)) change.to.reset();
    account = co_await accounts.get(as);
  }
  if (!account) co_return failure_of(std::move(account));
  Principal principal;
  principal.account = std::make_shared<const catalog::Account>(*std::move(account));
  co_return principal;
}

Task<void> pause() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kLookEvery);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

Task<Result<FolderChanges::Change>> FolderChanges::begin(AccountId account,
                                                         const ResolvedPath& from,
                                                         const ResolvedPath* to) {
  std::set<std::string> places = {place_of(account, from.account_path())};
  if (to) places.insert(place_of(account, to->account_path()));
  auto hold = co_await locks_.take(places, FolderLocks::Mode::shared);
  auto concerned = co_await concerns_keys(account, from);
  if (concerned && !*concerned && to) concerned = co_await concerns_keys(account, *to);
  if (!concerned) co_return failure_of(concerned);
  if (!*concerned) co_return Change(*this, std::move(hold), account, from, to);
  hold.release();
  hold = co_await locks_.take(std::move(places), FolderLocks::Mode::alone);
  Change change(*this, std::move(hold), account, from, to);
  auto noted = co_await note(account, from, to);
  if (!noted) co_return failure_of(std::move(noted));
  change.noted_ = *std::move(noted);
  co_return change;
}

Task<Result<bool>> FolderChanges::concerns_keys(AccountId account, const ResolvedPath& place) {
  const auto any = co_await catalog_.scope_changes().concerns(account, place.base);
  if (!any || !*any) co_return any;
  const auto scope = co_await scope_of(place);
  if (!scope) co_return failure_of(scope);
  co_return co_await catalog_.scope_changes().concerns(account, *scope);
}

Task<Result<std::optional<ScopeChange>>> FolderChanges::note(AccountId account,
                                                             const ResolvedPath& from,
                                                             const ResolvedPath* to) {
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
  for (const Path* path : {&change.from, change.to ? &*change.to : &change.from}) {
    auto settled = co_await settle_about(account, *path);
    if (!settled) co_return failure_of(std::move(settled));
  }
  const auto there = co_await from.backend->stat(from.path);
  if (!there) co_return failure_of(there);
  change.from_identity = change.to_identity = identity_of(*there);
  if (to && to->backend == from.backend && change.from_identity.empty()) {
    // Nothing tells the two apart later, so a name that is taken must not be noted.
    const auto taken = co_await to->backend->stat(to->path);
    if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  }
  if (to && to->backend != from.backend) {
    const auto copy = co_await to->backend->stat(to->path);
    if (!copy) co_return failure_of(copy);
    change.to_identity = identity_of(*copy);
  }
  set_live(change.id, true);  // First: from then on no other server decides.
  auto begun = co_await catalog_.scope_changes().begin(change);
  if (!begun || !*begun) set_live(change.id, false);
  if (!begun) co_return failure_of(begun);
  if (!*begun) co_return std::nullopt;
  co_return std::optional(std::move(change));
}

FolderChanges::Change::~Change() {
  if (noted_) changes_->set_live(noted_->id, false);
}

Task<void> FolderChanges::Change::end(bool done, bool may_be_folder) {
  Result<void> ended;
  if (noted_ && done) {
    ended = co_await changes_->catalog_.scope_changes().end(noted_->id, follow(*noted_));
  } else if (noted_) {
    ended = co_await changes_->settle(*noted_, account_);
  } else if (done && may_be_folder) {
    ended = co_await follow_those_made_meanwhile();
  }
  // The keys stay in transit, and the next request with one of them decides.
  if (!ended) spdlog::error("what becomes of keys was not noted: {}", ended.error().message);
  if (noted_) changes_->set_live(noted_->id, false);
  noted_.reset();
  hold_.release();
}

/// A command beside the server may have made a key between the first look and the change.
Task<Result<void>> FolderChanges::Change::follow_those_made_meanwhile() {
  catalog::ScopeChanges& changes = changes_->catalog_.scope_changes();
  const auto concerned = co_await changes_->concerns_keys(account_, *from_);
  if (!concerned) co_return failure_of(concerned);
  if (!*concerned) co_return Result<void>{};
  ScopeChange change;
  change.id = random_hex(16);
  change.account = account_;
  auto scope = co_await scope_of(*from_);
  if (!scope) co_return failure_of(std::move(scope));
  change.from = *std::move(scope);
  if (to_) {
    auto new_scope = co_await scope_of(*to_);
    if (!new_scope) co_return failure_of(std::move(new_scope));
    change.to = *std::move(new_scope);
  }
  const auto begun = co_await changes.begin(change);
  if (!begun) co_return failure_of(begun);
  co_return co_await changes.end(change.id, follow(change));
}

Task<Result<FolderLocks::Hold>> FolderChanges::keep_out(AccountId account, const Path& folder) {
  std::set<std::string> places = {place_of(account, folder)};
  auto hold = co_await locks_.take(std::move(places), FolderLocks::Mode::alone);
  auto settled = co_await settle_about(account, folder);
  if (!settled) co_return failure_of(std::move(settled));
  co_return hold;
}

Task<Result<GrantPtr>> FolderChanges::arrived(GrantPtr grant) {
  for (int look = 0; !grant->key.change_id.empty() && look < kArrivalLooks; ++look) {
    if (is_live(grant->key.change_id)) {
      co_await pause();
    } else {
      auto settled = co_await settle_about(grant->account.id, *grant->key.folder);
      if (!settled) break;
    }
    auto found = co_await catalog_.keys().find(grant->hash);
    if (!found) co_return found;
    grant = *std::move(found);
  }
  if (grant->key.change_id.empty()) co_return grant;
  co_return fail(ErrorCode::not_found,
                 "The folder that this key is limited to is being moved or deleted; try again.");
}

Task<Result<void>> FolderChanges::settle_all(Where where) {
  const auto changes = co_await catalog_.scope_changes().list();
  if (!changes) co_return failure_of(changes);
  for (const ScopeChange& change : *changes) {
    const bool on_server = is_on_server(change.from) || (change.to && is_on_server(*change.to));
    if (on_server != (where == Where::on_servers) || is_live(change.id)) continue;
    const auto settled = co_await settle(change, change.account);
    if (settled) continue;
    spdlog::warn("keys limited to \"{}\" open nothing until it is seen what became of it: {}",
                 change.from.str(), settled.error().message);
  }
  co_return Result<void>{};
}

Task<Result<void>> FolderChanges::settle_about(AccountId account, const Path& folder) {
  const auto changes = co_await catalog_.scope_changes().list();
  if (!changes) co_return failure_of(changes);
  for (const ScopeChange& change : *changes) {
    if (is_live(change.id) || !is_about(change, account, folder)) continue;
    if (owner_ == Owner::command) {
      co_return fail(ErrorCode::exists,
                     "The folder is being renamed, moved or deleted; try again.");
    }
    auto settled = co_await settle(change, account);
    if (!settled) co_return settled;
  }
  co_return Result<void>{};
}

Task<Result<void>> FolderChanges::settle(ScopeChange change, AccountId as) {
  const auto scopes = co_await catalog_.scope_changes().scopes(change.id);
  if (!scopes) co_return failure_of(scopes);
  ScopeFates fates;
  if (!scopes->empty()) {  // Else its keys were revoked meanwhile, and its place may be gone.
    auto principal = co_await who_sees(catalog_.accounts(), change, as);
    if (!principal) co_return failure_of(std::move(principal));
    auto ns = Namespace::of(*principal, homes_, mounts_);
    if (!ns) co_return failure_of(std::move(ns));
    auto found = co_await find_fates(*ns, change, *scopes);
    if (!found) co_return failure_of(std::move(found));
    fates = *std::move(found);
  }
  auto decide = [fates = std::move(fates)](const Path& scope) -> std::optional<Path> {
    const auto fate = fates.find(scope.str());
    return fate == fates.end() ? std::nullopt : fate->second;
  };
  co_return co_await catalog_.scope_changes().end(change.id, std::move(decide));
}

bool FolderChanges::is_live(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return live_.contains(id);
}

void FolderChanges::set_live(const std::string& id, bool live) {
  const std::lock_guard lock(mutex_);
  if (live) {
    live_.insert(id);
  } else {
    live_.erase(id);
  }
}

}  // namespace coffer::core
