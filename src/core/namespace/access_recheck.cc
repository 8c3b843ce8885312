#include "core/namespace/access_recheck.h"

#include <fmt/format.h>

#include "catalog/mount_paths.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

std::unexpected<Error> signed_out() {
  return fail(ErrorCode::unauthenticated,
              "The key was revoked, the session ended or the account was disabled while this was "
              "under way.");
}

std::unexpected<Error> refused(ErrorCode code, const Mount& mount, std::string_view what) {
  return fail(code, fmt::format("{} {} while this was under way.", mount.name, what));
}

/// The share's id, if the mount is one.
std::optional<ShareId> share_of(const Mount& mount) {
  if (!mount.prefix.starts_with(catalog::kSharePrefix)) return std::nullopt;
  return ShareId{mount.prefix.substr(catalog::kSharePrefix.size())};
}

}  // namespace

std::optional<Error> withdrawal_in(const Result<void>& stands) {
  if (stands) return std::nullopt;
  const ErrorCode code = stands.error().code;
  const bool is_lost = code == ErrorCode::unauthenticated || code == ErrorCode::forbidden ||
                       code == ErrorCode::not_found;
  return is_lost ? std::optional(stands.error()) : std::nullopt;
}

Task<Result<void>> AccessRecheck::of(const Principal& principal, std::vector<MountUse> uses) {
  CO_TRY_VOID(co_await of_credential(principal, false));
  co_return co_await of_mounts(principal.account->id, std::move(uses));
}

Task<Result<void>> AccessRecheck::of_change(const Principal& principal, std::vector<MountUse> uses,
                                            std::vector<PlaceChange> changes) {
  CO_TRY_VOID(co_await of(principal, std::move(uses)));
  for (const PlaceChange& change : changes) {
    CO_TRY_VOID(co_await of_given(principal, change));
  }
  co_return co_await locks_.pass(principal, std::move(changes));
}

/// In an item that another account shares, some changes are the owner's alone.
Task<Result<void>> AccessRecheck::of_given(const Principal& principal, const PlaceChange& change) {
  const ResolvedPath& place = change.place;
  if (!place.mount || !place.mount->given) co_return Result<void>{};
  const bool leaves = change.kind == PlaceChange::Kind::leave;
  if (leaves) CO_TRY_VOID(check_may_leave(place));
  CO_TRY(const auto now, co_await mounts_.find(principal.account->id, place.mount->prefix));
  if (!now.only_adds()) co_return Result<void>{};
  if (leaves) co_return may_only_add(*place.mount);
  const auto there = co_await place.backend->stat(place.path);
  if (!there && there.error().code == ErrorCode::not_found) co_return Result<void>{};
  if (!there) co_return failure_of(there);
  CO_TRY(const bool completes, co_await locks_.may_complete(principal, place));
  if (completes) co_return Result<void>{};
  co_return fail(ErrorCode::exists, "The name is taken, and here nothing can be replaced.");
}

Task<Result<void>> AccessRecheck::of_present(const Principal& principal,
                                             const ResolvedPath& place) {
  if (!place.mount || !place.mount->only_adds()) co_return Result<void>{};
  CO_TRY(const bool completes, co_await locks_.may_complete(principal, place));
  co_return completes ? Result<void>() : may_only_add(*place.mount);
}

Task<Result<void>> AccessRecheck::of_reader(const Principal& principal,
                                            std::vector<MountUse> uses) {
  CO_TRY_VOID(co_await of_credential(principal, true));
  for (MountUse& use : uses) {
    // What is open is the same item still, wherever its owner has moved it.
    if (use.mount && use.mount->given) use.mount->leads_to.reset();
  }
  co_return co_await of_mounts(principal.account->id, std::move(uses));
}

Task<Result<void>> AccessRecheck::of_mounts(AccountId account, std::vector<MountUse> uses) {
  for (const MountUse& use : uses) {
    CO_TRY_VOID(co_await of_mount(account, use));
  }
  co_return Result<void>{};
}

Task<Result<void>> AccessRecheck::of_credential(const Principal& principal, bool may_move) {
  using Kind = catalog::Credential::Kind;
  if (!principal.credential) return of_account(principal.account->id);
  if (principal.credential->kind == Kind::session) return of_session(principal);
  return of_key(principal, may_move);
}

Task<Result<void>> AccessRecheck::of_session(const Principal& principal) {
  using catalog::SignedOut;
  const catalog::SecretHash& hash = principal.credential->hash;
  const auto signed_out_ones = principal.outlives_sign_out ? SignedOut::found : SignedOut::absent;
  const auto cached = catalog_.web_sessions().find_now(hash, signed_out_ones);
  if (cached && !has_expired(cached->session)) co_return Result<void>{};
  const auto found = co_await catalog_.web_sessions().find(hash, signed_out_ones);
  if (!found && found.error().code == ErrorCode::unauthenticated) co_return signed_out();
  if (!found) co_return failure_of(found);
  if (has_expired((*found)->session)) co_return signed_out();
  co_return Result<void>{};
}

Task<Result<void>> AccessRecheck::of_key(const Principal& principal, bool may_move) {
  const catalog::SecretHash& hash = principal.credential->hash;
  auto grant = catalog_.keys().find_now(hash);
  if (!grant) {
    auto found = co_await catalog_.keys().find(hash);
    if (!found && found.error().code == ErrorCode::unauthenticated) co_return signed_out();
    if (!found) co_return failure_of(std::move(found));
    grant = *std::move(found);
  }
  if (has_expired(grant->key)) co_return signed_out();
  const bool stays = grant->key.change_id.empty() && grant->key.folder == principal.within();
  if (stays || may_move) co_return Result<void>{};
  co_return fail(ErrorCode::not_found,
                 "The folder that the key is limited to was moved while this was under way.");
}

Task<Result<void>> AccessRecheck::of_administrator(const Principal& principal) {
  CO_TRY_VOID(co_await of_credential(principal, false));
  const auto now = co_await catalog_.accounts().get(principal.account->id);
  if (!now) co_return failure_of(now);
  if (now->role != catalog::Role::admin) {
    co_return fail(ErrorCode::forbidden, "Only administrators may do this.");
  }
  co_return Result<void>{};
}

Task<Result<void>> AccessRecheck::of_account(AccountId account) {
  const auto now = co_await catalog_.accounts().get(account);
  const bool is_gone = !now && now.error().code == ErrorCode::not_found;
  if (is_gone || (now && now->disabled)) co_return signed_out();
  if (!now) co_return failure_of(now);
  co_return Result<void>{};
}

Task<Result<void>> AccessRecheck::of_mount(AccountId account, const MountUse& use) {
  if (!use.mount) co_return Result<void>{};
  const auto now = co_await mounts_.find(account, use.mount->prefix);
  if (!now && now.error().code == ErrorCode::not_found) co_return co_await why_gone(*use.mount);
  if (!now) co_return failure_of(now);
  if (use.mount->leads_to && now->leads_to != use.mount->leads_to) {
    co_return refused(ErrorCode::forbidden, *use.mount, "was led to another place");
  }
  if (now->read_only && use.writes) {
    co_return refused(ErrorCode::forbidden, *use.mount, "became read-only");
  }
  co_return Result<void>{};
}

Task<Result<void>> AccessRecheck::why_gone(const Mount& mount) {
  const auto id = share_of(mount);
  if (!id) co_return refused(ErrorCode::not_found, mount, "was removed");
  CO_TRY(bool stands, co_await catalog_.people_shares().exists(*id));
  if (!stands) {
    const auto share = co_await catalog_.shares().find(*id);
    stands = share.has_value();
  }
  if (stands) co_return refused(ErrorCode::forbidden, mount, "was withdrawn");
  co_return refused(ErrorCode::not_found, mount, "was removed");
}

}  // namespace coffer::core
