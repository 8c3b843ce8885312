#include "core/keys/folder_changes.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "catalog/mount_paths.h"

namespace coffer::core {
namespace {

using catalog::ScopeChanges;
using catalog::Turn;
using GrantPtr = std::shared_ptr<const catalog::Grant>;

constexpr int kMostLooks = 100;
constexpr auto kLookEvery = std::chrono::milliseconds(20);

/// True for own files, of the account or of another that shares them.
bool is_in_tree(const ResolvedPath& place) {
  return !place.mount || place.owner_files;
}

/// The places that are locked together: an account's own files, a connector, or a share with those
/// that hold some of the same folders.
std::set<std::string> places_with(AccountId account, const ResolvedPath& place,
                                  const std::vector<ShareFolder>& shares) {
  if (is_in_tree(place)) return {std::to_string(place.tree_account(account).value)};
  const Path path = place.account_path();
  std::set<std::string> places = {std::string(path.front())};
  for (const Path& share : overlapping_shares(shares, path)) places.insert(share.str());
  return places;
}

/// The scope of a place. Nothing is looked up on a disk: there the path is resolved already.
Task<Result<Path>> scope_of(const ResolvedPath& place, const std::optional<Path>& known) {
  if (known) co_return *known;
  if (!place.is_on_server()) co_return place.account_path();
  co_return co_await core::scope_of(place);
}

/// Scopes go where their folder went, or end with it.
ScopeChanges::Follow follow_view(const ChangeView& view) {
  return [view](const Path& scope) -> std::optional<Path> {
    if (!view.to) return std::nullopt;
    return *view.to / scope.relative_to(view.from);
  };
}

std::optional<Path> stay(const Path& scope) {
  return scope;
}

ScopeChanges::Follow keep(std::set<Path> standing) {
  return [standing = std::move(standing)](const Path& scope) {
    return standing.contains(scope) ? std::optional(scope) : std::nullopt;
  };
}

/// How the log calls what the catalog keeps as a key.
struct KindWords {
  std::string_view what;
  std::string_view became;
  std::string_view of;
};

KindWords words_for(catalog::KeyKind kind) {
  switch (kind) {
    case catalog::KeyKind::link:
      return {"share link", "ended", "item"};
    case catalog::KeyKind::person_share:
      return {"share", "ended", "item"};
    case catalog::KeyKind::api_key:
      break;
  }
  return {"key", "was revoked", "folder"};
}

void log_revoked(const std::vector<catalog::RevokedKey>& keys) {
  for (const catalog::RevokedKey& key : keys) {
    const KindWords words = words_for(key.kind);
    spdlog::warn(
        "{} {} of account {} {}: its {} \"{}\" was being renamed, moved or deleted, and the "
        "outcome "
        "is not known",
        words.what, key.id.value, key.account, words.became, words.of, key.scope.str());
  }
}

Task<void> pause() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kLookEvery);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

Task<Result<FolderChanges::ServerScopes>> FolderChanges::ask_servers(const ResolvedPath& from,
                                                                     const ResolvedPath& to) {
  ServerScopes known;
  if (from.is_on_server()) {
    CO_TRY(known.from, co_await core::scope_of(from));
  }
  if (to.is_on_server()) {
    CO_TRY(known.to, co_await core::scope_of(to));
  }
  co_return known;
}

Task<Result<FolderChanges::Change>> FolderChanges::prepare(AccountId account,
                                                           const ResolvedPath& from,
                                                           const ResolvedPath* to,
                                                           ServerScopes known) {
  CO_TRY(auto shares, co_await shares_of(from, to));
  std::set<std::string> places = places_with(account, from, shares);
  if (to) places.merge(places_with(account, *to, shares));
  CO_TRY(auto lock, co_await locks_.acquire(places, FolderLocks::Mode::shared));
  CO_TRY(bool concerned, co_await concerns_keys(account, from, known.from, shares));
  if (!concerned && to) {
    CO_TRY(concerned, co_await concerns_keys(account, *to, known.to, shares));
  }
  if (concerned) {
    lock.release();
    CO_TRY(lock, co_await locks_.acquire(std::move(places), FolderLocks::Mode::exclusive));
    // Those that cannot be written bar this change alone, by its note.
    co_await write_endings();
  }
  co_return Change(*this, std::move(lock), account, from, to, std::move(known), std::move(shares),
                   concerned);
}

Task<Result<FolderChanges::Change>> FolderChanges::begin(AccountId account,
                                                         const ResolvedPath& from,
                                                         const ResolvedPath* to) {
  ServerScopes unknown;
  CO_TRY(auto change, co_await prepare(account, from, to, std::move(unknown)));
  if (!change.concerns_keys_) co_return change;
  // Fails also for an item on a server that is away, so that no key is concerned by that.
  CO_TRY(const auto entry, co_await from.backend->stat(from.path));
  change.identity_ = entry.identity();
  CO_TRY_VOID(co_await change.note(ScopeChanges::Record::if_keys));
  co_return change;
}

Task<Result<FolderChanges::Change>> FolderChanges::begin_move(AccountId account,
                                                              const ResolvedPath& from,
                                                              const ResolvedPath& to,
                                                              const Name& aside) {
  CO_TRY(auto known, co_await ask_servers(from, to));
  CO_TRY(auto change, co_await prepare(account, from, &to, std::move(known)));
  CO_TRY_VOID(co_await change.note(ScopeChanges::Record::always, &aside));
  change.lock_.release();
  co_return change;
}

/// All shares, if one of the places is in one.
Task<Result<FolderChanges::Shares>> FolderChanges::shares_of(const ResolvedPath& from,
                                                             const ResolvedPath* to) {
  const bool is_about_shares =
      catalog::is_in_share(from.account_path()) || (to && catalog::is_in_share(to->account_path()));
  if (!is_about_shares) co_return Shares();
  co_return co_await mounts_.share_folders();
}

Task<Result<bool>> FolderChanges::concerns_keys(AccountId account, const ResolvedPath& place,
                                                const std::optional<Path>& known,
                                                const Shares& shares) {
  if (!is_in_tree(place)) co_return co_await concerns_mount_keys(account, place, known, shares);
  const ServerScopes unknown;
  CO_TRY(const auto views, co_await views_in_tree(account, place, nullptr, unknown));
  for (const ChangeView& view : views) {
    CO_TRY(const bool concerned,
           co_await catalog_.scope_changes().concerns(view.account, view.from));
    if (concerned) co_return true;
  }
  co_return false;
}

Task<Result<FolderChanges::Views>> FolderChanges::views_of(AccountId account,
                                                           const ResolvedPath& from,
                                                           const ResolvedPath* to,
                                                           const ServerScopes& known,
                                                           const Shares& shares) {
  if (is_in_tree(from)) co_return co_await views_in_tree(account, from, to, known);
  ChangeView own;
  own.account = account;
  CO_TRY(own.from, co_await scope_of(from, known.from));
  if (to) {
    CO_TRY(own.to, co_await scope_of(*to, known.to));
  }
  auto views = views_of_other_shares(shares, account, own.from, own.to);
  views.push_back(std::move(own));
  co_return views;
}

Task<Result<FolderChanges::Views>> FolderChanges::views_in_tree(AccountId account,
                                                                const ResolvedPath& from,
                                                                const ResolvedPath* to,
                                                                const ServerScopes& known) {
  const AccountId tree = from.tree_account(account);
  ChangeView own{tree, from.tree_path(), {}, {}};
  std::optional<Path> seen;
  if (to) {
    CO_TRY(seen, co_await scope_of(*to, known.to));
    const bool stays = is_in_tree(*to) && to->tree_account(account) == tree;
    if (stays) own.to = to->tree_path();
  }
  CO_TRY(const auto given, co_await mounts_.given_by(tree));
  auto views = views_of_receivers(*given, account, own.from, own.to, seen);
  // To the owner, what another account takes to a place of its own is gone.
  if (!own.to && tree == account) own.to = seen;
  views.push_back(std::move(own));
  co_return views;
}

Task<Result<bool>> FolderChanges::concerns_mount_keys(AccountId account, const ResolvedPath& place,
                                                      const std::optional<Path>& known,
                                                      const Shares& shares) {
  catalog::ScopeChanges& changes = catalog_.scope_changes();
  CO_TRY(bool any, co_await changes.concerns(account, place.base));
  for (const Path& share : overlapping_shares(shares, place.base)) {
    if (any) break;
    CO_TRY(any, co_await changes.concerns(account, share));
  }
  if (!any) co_return false;
  const ServerScopes scopes{known, {}};
  CO_TRY(const auto views, co_await views_of(account, place, nullptr, scopes, shares));
  for (const ChangeView& view : views) {
    CO_TRY(const bool concerned, co_await changes.concerns(account, view.from));
    if (concerned) co_return true;
  }
  co_return false;
}

void FolderChanges::add(Ending ending) {
  const std::lock_guard lock(mutex_);
  unwritten_.push_back(std::move(ending));
}

std::vector<FolderChanges::Ending> FolderChanges::unwritten() {
  const std::lock_guard lock(mutex_);
  return unwritten_;
}

Task<bool> FolderChanges::write_endings() {
  for (const Ending& ending : unwritten()) {
    const auto revoked = co_await catalog_.scope_changes().end(
        Turn::of_change(ending.account), ending.id, ending.follow, ending.outcome);
    if (!revoked) {
      spdlog::error("the keys of a folder open nothing until the catalog can be written: {}",
                    revoked.error().message);
      co_return false;
    }
    log_revoked(*revoked);
    const std::lock_guard lock(mutex_);
    std::erase_if(unwritten_, [&](const Ending& other) { return other.id == ending.id; });
  }
  co_return true;
}

Task<Result<void>> FolderChanges::Change::note(Record record, const Name* aside) {
  CO_TRY(auto views,
         co_await changes_->views_of(account_, from_, to_ ? &*to_ : nullptr, known_, shares_));
  if (aside) {
    ResolvedPath beside = from_;
    beside.path = from_.path.parent() / *aside;
    ServerScopes known;
    if (known_.from) known.from = known_.from->parent() / *aside;
    CO_TRY(auto others, co_await changes_->views_of(account_, beside, nullptr, known, shares_));
    std::ranges::move(others, std::back_inserter(views));
  }
  std::vector<Noted> noted;
  std::vector<catalog::ScopeChange> changes;
  for (ChangeView& view : views) {
    noted.push_back({random_hex(16), std::move(view)});
    const ChangeView& last = noted.back().view;
    changes.push_back({noted.back().id, last.account, last.from, last.to});
  }
  auto begun = co_await changes_->catalog_.scope_changes().begin(std::move(changes), record);
  if (!begun && is_own_failure(begun.error().code)) {
    // It may be noted all the same, but is not made.
    for (Noted& one : noted) changes_->add({account_, std::move(one.id), stay});
  }
  if (!begun) co_return failure_of(std::move(begun));
  scopes_ = std::move(begun->scopes);
  if (begun->is_recorded) noted_ = std::move(noted);
  co_return Result<void>{};
}

FolderChanges::Change::~Change() {
  for (Noted& noted : noted_) {
    changes_->add({account_, std::move(noted.id), keep({}), ScopeChanges::Outcome::unknown});
  }
}

Task<void> FolderChanges::Change::end_with(std::optional<ErrorCode> failure, bool may_be_folder) {
  if (!failure && may_be_folder && noted_.empty()) {
    const auto noted = co_await note_keys_made_meanwhile();
    if (!noted) spdlog::error("keys of a folder were not changed: {}", noted.error().message);
  }
  std::set<Path> standing;
  if (failure && !noted_.empty()) {
    if (from_.is_on_server()) lock_.release();  // Others do not wait while a server is asked.
    standing = co_await find_standing(*failure);
  }
  if (!failure) co_return co_await follow();
  co_await finish([&](const ChangeView&) { return keep(standing); },
                  ScopeChanges::Outcome::unknown);
}

Task<void> FolderChanges::Change::follow() {
  return finish(follow_view, ScopeChanges::Outcome::known);
}

Task<void> FolderChanges::Change::cancel(bool has_name) {
  if (!has_name) {
    return finish([](const ChangeView&) { return keep({}); }, ScopeChanges::Outcome::unknown);
  }
  return finish([](const ChangeView&) { return stay; }, ScopeChanges::Outcome::known);
}

template <class FollowOf>
Task<void> FolderChanges::Change::finish(FollowOf follow_of, ScopeChanges::Outcome outcome) {
  for (const Noted& noted : std::exchange(noted_, {})) {
    changes_->add({account_, noted.id, follow_of(noted.view), outcome});
  }
  co_await changes_->write_endings();
  lock_.release();
}

/// A command beside the server may have made a key between the first look and the change.
Task<Result<void>> FolderChanges::Change::note_keys_made_meanwhile() {
  CO_TRY(const bool concerned,
         co_await changes_->concerns_keys(account_, from_, known_.from, shares_));
  if (!concerned) co_return Result<void>{};
  co_return co_await note(Record::made);
}

/// The scopes whose folders stand after a failure. Where no inode tells folders apart, none does
/// after an outage: another folder may have the name by now.
Task<std::set<Path>> FolderChanges::Change::find_standing(ErrorCode failure) {
  std::set<Path> standing;
  const bool is_outage = failure == ErrorCode::unavailable || failure == ErrorCode::timed_out;
  if (is_outage && !identity_.is_known()) co_return standing;
  const auto top = co_await from_.backend->stat(from_.path);
  if (!top || top->identity() != identity_) co_return standing;
  for (const Noted& noted : noted_) {
    for (const Path& scope : scopes_) {
      if (!scope.is_within(noted.view.from)) continue;
      const Path below = noted.view.below / scope.relative_to(noted.view.from);
      const auto entry = co_await from_.backend->stat(from_.path / below);
      if (entry) standing.insert(scope);
    }
  }
  co_return standing;
}

Task<Result<FolderLocks::Lock>> FolderChanges::lock_for_new_key(AccountId account,
                                                                const Path& folder) {
  co_await write_endings();
  CO_TRY(auto places, co_await places_of(account, folder));
  co_return co_await locks_.acquire(std::move(places), FolderLocks::Mode::exclusive);
}

/// Of a mount that is not there any more, its name.
Task<Result<std::set<std::string>>> FolderChanges::places_of(AccountId account, const Path& path) {
  std::set<std::string> places;
  if (!is_mount_name(path.front())) {
    places.insert(std::to_string(account.value));
    co_return places;
  }
  const auto mount = co_await mounts_.find(account, path.front());
  if (!mount && mount.error().code != ErrorCode::not_found) co_return failure_of(mount);
  const bool is_given = mount && mount->given;
  places.insert(is_given ? std::to_string(mount->given->owner->id.value)
                         : std::string(path.front()));
  co_return places;
}

Task<Result<std::optional<FolderLocks::Lock>>> FolderChanges::lock_scope(
    const Principal& principal, const ResolvedPath& place) {
  std::set<std::string> places;
  if (principal.scope) {
    CO_TRY(places, co_await places_of(principal.account->id, *principal.scope));
  }
  if (place.owner_files) places.insert(std::to_string(place.quota_account->id.value));
  if (places.empty()) co_return std::nullopt;
  co_return co_await locks_.acquire(std::move(places), FolderLocks::Mode::shared);
}

Task<Result<GrantPtr>> FolderChanges::wait_for_change(GrantPtr grant) {
  for (int look = 0; !grant->key.change_id.empty() && look < kMostLooks; ++look) {
    if (look > 0) co_await pause();
    const bool written = co_await write_endings();
    if (!written) break;
    CO_TRY(grant, co_await catalog_.keys().find(grant->credential.hash));
  }
  if (grant->key.change_id.empty()) co_return grant;
  co_return fail(ErrorCode::not_found,
                 "The folder that this key is limited to is being moved or deleted; try again.");
}

Task<Result<void>> FolderChanges::revoke_interrupted() {
  CO_TRY(const auto revoked, co_await catalog_.scope_changes().revoke_ended());
  log_revoked(revoked);
  co_return Result<void>{};
}

}  // namespace coffer::core
