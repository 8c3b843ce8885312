#include <memory>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "catalog/mount_paths.h"
#include "core/keys/change_parts.h"
#include "core/keys/folder_changes.h"

// What became of changes that were cut off, or that failed, by what is there now.

namespace coffer::core {
namespace {

using catalog::ScopeChange;

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

}  // namespace

Task<Result<void>> FolderChanges::settle_all(Where where) {
  const auto changes = co_await catalog_.scope_changes().list();
  if (!changes) co_return failure_of(changes);
  for (const ScopeChange& change : *changes) {
    if (is_on_server(change) != (where == Where::on_servers) || is_live(change.id)) continue;
    const auto settled = co_await settle(change, change.account);
    if (settled) continue;
    spdlog::warn("keys limited to \"{}\" open nothing until it is seen what became of it: {}",
                 change.from.str(), settled.error().message);
  }
  co_return Result<void>{};
}

Task<Result<void>> FolderChanges::settle_about(AccountId account, const ScopeChangeList& changes) {
  Result<void> settled;
  for (const ScopeChange& change : changes) {
    settled = co_await settle_about(account, change.from, Where::on_servers);
    if (settled && change.to) {
      settled = co_await settle_about(account, *change.to, Where::on_servers);
    }
    if (!settled) co_return settled;
  }
  co_return settled;
}

Task<Result<void>> FolderChanges::settle_about(AccountId account, const Path& folder, Where where) {
  const auto changes = co_await catalog_.scope_changes().list();
  if (!changes) co_return failure_of(changes);
  for (const ScopeChange& change : *changes) {
    if (is_live(change.id) || !is_about(change, account, folder)) continue;
    if (owner_ == Owner::command) {
      if (!catalog::bars_keys(change, account, folder)) continue;
      co_return fail(ErrorCode::exists,
                     "The folder is being renamed, moved or deleted; try again.");
    }
    const bool asks = where == Where::on_servers && change.account == account;
    auto work =
        is_on_server(change) && !asks ? settle_here(change, account) : settle(change, account);
    auto settled = co_await std::move(work);
    if (!settled) co_return settled;
  }
  co_return Result<void>{};
}

Task<Result<ScopeFates>> FolderChanges::look(ScopeChange change, AccountId as,
                                             const std::vector<Path>& scopes) {
  auto principal = co_await who_sees(catalog_.accounts(), change, as);
  if (!principal) co_return failure_of(std::move(principal));
  const Namespace ns(homes_, mounts_);
  co_return co_await find_fates(ns, *principal, change, scopes);
}

Task<Result<void>> FolderChanges::settle(ScopeChange change, AccountId as) {
  const auto scopes = co_await catalog_.scope_changes().scopes(change.id);
  if (!scopes) co_return failure_of(scopes);
  ScopeFates fates;
  if (!scopes->empty()) {  // Else its keys were revoked meanwhile, and its place may be gone.
    auto found = co_await look(change, as, *scopes);
    if (!found) co_return failure_of(std::move(found));
    fates = *std::move(found);
  }
  auto decide = [fates = std::move(fates)](const Path& scope) -> std::optional<Path> {
    const auto fate = fates.find(scope.str());
    return fate == fates.end() ? std::nullopt : fate->second;
  };
  co_return co_await catalog_.scope_changes().end(change.id, std::move(decide));
}

Task<Result<void>> FolderChanges::settle_here(ScopeChange change, AccountId as) {
  const auto scopes = co_await catalog_.scope_changes().scopes(change.id);
  if (!scopes) co_return failure_of(scopes);
  if (scopes->empty()) co_return co_await settle(std::move(change), as);
  if (is_on_server(change.from) || !change.to) co_return Result<void>{};
  ScopeChange rest{.id = random_hex(16),
                   .account = change.account,
                   .from = *change.to,
                   .from_identity = change.to_identity,
                   .to = {},
                   .to_identity = {}};
  const auto moved = follow(change);
  const std::string id = change.id;
  change.to.reset();
  auto found = co_await look(std::move(change), as, *scopes);
  if (!found) co_return failure_of(std::move(found));
  auto decide = [fates = *std::move(found), moved](const Path& scope, bool is_own) {
    catalog::ScopeChanges::KeyFate fate;
    const auto here = fates.find(scope.str());
    if (here != fates.end()) fate.scope = here->second;
    fate.in_doubt = is_own && !fate.scope;
    if (fate.in_doubt) fate.scope = moved(scope);
    return fate;
  };
  co_return co_await catalog_.scope_changes().narrow(id, std::move(rest), std::move(decide));
}

Task<Result<void>> FolderChanges::turn_away(AccountId account, const Path& folder) {
  const auto changes = co_await catalog_.scope_changes().list();
  if (!changes) co_return failure_of(changes);
  for (ScopeChange change : *changes) {
    if (is_live(change.id) || !is_about(change, account, folder)) continue;
    if (!is_on_server(change.from) || !change.to) continue;
    const std::string id = std::exchange(change.id, random_hex(16));
    change.to.reset();
    change.to_identity.clear();
    auto stay = [](const Path& scope, bool) {
      return catalog::ScopeChanges::KeyFate{.scope = scope, .in_doubt = true};
    };
    auto narrowed = co_await catalog_.scope_changes().narrow(id, std::move(change), stay);
    if (!narrowed) co_return narrowed;
  }
  co_return Result<void>{};
}

}  // namespace coffer::core
