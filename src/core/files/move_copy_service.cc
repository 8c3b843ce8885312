#include "core/files/move_copy_service.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/accounts/quota.h"
#include "core/files/listing.h"
#include "core/files/placement.h"
#include "core/namespace/name_rules.h"
#include "core/transfer/transfer.h"

namespace coffer::core {
namespace {

Result<void> check_form(const Path& from, const Path& to) {
  if (!from.is_root() && to.is_within(from)) return into_itself();
  return {};
}

/// True for the top of a mount, which is copied under the mount's name.
bool is_mount_top(const Path& path) {
  return path.depth() == 1 && is_mount_name(path.front());
}

/// `forbidden` if either end is, before other errors. A copy may take a whole mount.
Result<void> check_rights(const Result<ResolvedPath>& from, const Result<ResolvedPath>& to,
                          bool moves, bool takes_mount) {
  for (const auto* end : {&from, &to}) {
    if (!*end && end->error().code == ErrorCode::forbidden) return failure_of(*end);
  }
  if (from && moves && from->read_only) {
    return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  if (from && moves) TRY_VOID(check_may_leave(*from));
  if (from && from->is_top && (moves || !takes_mount)) {
    return fail(ErrorCode::forbidden,
                "A root cannot be moved, and your own root cannot be copied.");
  }
  return {};
}

catalog::NewTask task_of(const catalog::Account& account, catalog::TaskKind kind,
                         const MoveCopyRequest& request) {
  catalog::NewTask task{account.id, kind, request.from.account_path().str(),
                        request.to.account_path().str()};
  task.account_name = account.name;
  return task;
}

Task<Result<void>> reserve(Reservation& reservation, const ResolvedPath& to, std::uint64_t bytes) {
  auto held = co_await check_capacity(*to.backend, bytes);
  if (!held) {
    CO_TRY(const auto available_bytes, co_await reservation.available());
    if (bytes <= available_bytes) co_return held;
  }
  CO_TRY_VOID(co_await reservation.grow_to(bytes));
  co_return co_await reservation.hold();
}

/// Reserves the source's size at the destination. `exists` comes before `over_quota`.
Task<Result<void>> reserve(Reservation& reservation, const ResolvedPath& from,
                           const ResolvedPath& to) {
  if (!to.quota_account) co_return Result<void>{};
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is taken.");
  CO_TRY(const auto size, co_await from.backend->measure(from.path));
  co_return co_await reserve(reservation, to, size.bytes);
}

/// Records the staging path, from the account's root, before it is created.
auto note_staging(const ResolvedPath& to, RunningTask& running) {
  return [&to, &running](const Path& path) { return running.note_orphan((to.base / path).str()); };
}

TransferOptions options_for(const ResolvedPath& to, std::uint64_t limit_bytes,
                            std::function<Task<Result<void>>()> recheck, RunningTask& running) {
  TransferOptions options;
  options.recheck = std::move(recheck);
  options.limit_bytes = limit_bytes;
  options.on_staging = note_staging(to, running);
  return options;
}

/// The source's size was reserved, so `over_quota` means that the source grew.
Result<storage::TreeSize> as_conflict_if_grown(Result<storage::TreeSize> copied) {
  if (copied || copied.error().code != ErrorCode::over_quota) return copied;
  return fail(ErrorCode::conflict, "The source grew while its content was read. Try again.");
}

/// Commits the bytes at the destination, also after a failure that left them.
Task<Result<void>> commit(Reservation& stored, const Result<storage::TreeSize>& result,
                          const TransferProgress& progress) {
  if (!result && !progress.kept()) co_return failure_of(result);
  const std::uint64_t bytes = result ? result->bytes : progress.kept()->bytes;
  CO_TRY_VOID(co_await stored.commit(static_cast<std::int64_t>(bytes)));
  if (!result) co_return failure_of(result);
  co_return Result<void>{};
}

/// The reason to stop if a right was lost. A failure of the catalog does not count.
Task<std::optional<Error>> withdrawal_of(std::function<Task<Result<void>>()> recheck) {
  co_return withdrawal_in(co_await recheck());
}

/// Keeps the claims until the work ends.
Task<Result<void>> with_claims(std::vector<TargetClaims::Claim>, Task<Result<void>> work) {
  co_return co_await std::move(work);
}

TaskLoad load_of(const MoveCopyRequest& request) {
  const bool is_remote = request.from.is_on_server() || request.to.is_on_server();
  return is_remote ? TaskLoad::servers : TaskLoad::disks;
}

CancelReason cancel_reason(std::function<Task<Result<void>>()> recheck) {
  return [recheck = std::move(recheck)] { return withdrawal_of(recheck); };
}

}  // namespace

Result<ResolvedPath> child_of(const ResolvedPath& folder, const Name& name) {
  TRY_VOID(check_new_name(folder, name.str()));
  ResolvedPath child = folder;
  child.path = folder.path / name;
  child.is_top = false;
  return child;
}

ResolvedPath sibling_of(const ResolvedPath& place, const Name& name) {
  ResolvedPath sibling = place;
  sibling.path = place.path.parent() / name;
  return sibling;
}

Task<Result<void>> require_folder(const ResolvedPath& place) {
  const auto entry = co_await stat(place);
  if (!entry && entry.error().code == ErrorCode::not_found) {
    co_return fail(ErrorCode::not_found, "The destination folder does not exist.");
  }
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return fail(ErrorCode::invalid, "The destination is not a folder.");
  co_return Result<void>{};
}

std::unexpected<Error> into_itself() {
  return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
}

Task<Result<MoveCopyRequest>> plan_move_copy(const Namespace& ns, const Principal& principal,
                                             MoveCopyCommand command) {
  CO_TRY_VOID(check_form(command.from, command.folder));
  const Access access = command.from_bin ? Access::in_bin : Access::read;
  auto source = co_await ns.resolve(principal, command.from, access);
  auto folder = co_await ns.resolve(principal, command.folder, Access::add);
  Result<ResolvedPath> target;
  if (folder && !command.from.is_root() && (command.name || !is_mount_top(command.from))) {
    // An existing item may have a name that is not allowed for new items, such as one with a
    // backslash.
    CO_TRY(const auto name,
           command.name ? Result<Name>(*command.name) : Name::parse(command.from.name()));
    target = child_of(*folder, name);
    if (!target) co_return failure_of(std::move(target));
  }
  CO_TRY_VOID(check_rights(source, folder, command.moves, is_mount_top(command.from)));
  if (!source) co_return failure_of(std::move(source));
  const auto there = co_await source->backend->stat(source->path);
  // A dangling link from the bin is restored too.
  const bool may_be_link = command.from_bin && source->path.depth() == 2;
  if (!there && (!may_be_link || there.error().code != ErrorCode::not_found)) {
    co_return failure_of(there);
  }
  if (!folder) co_return failure_of(std::move(folder));
  if (is_mount_top(command.from) && !command.name) {
    CO_TRY(const auto name, Name::parse(source->mount->name));
    target = child_of(*folder, name);
    if (!target) co_return failure_of(std::move(target));
  }
  CO_TRY_VOID(co_await require_folder(*folder));
  co_return MoveCopyRequest{*std::move(source), *std::move(target), there && there->is_directory};
}

Task<Result<TargetClaims::Claim>> MoveCopyService::claim_target(AccountId account,
                                                                ResolvedPath& to) {
  CO_TRY_VOID(co_await follow_links(to));
  CO_TRY(auto text, co_await place_text(mounts_, account, to));
  co_return target_claims_.claim_target(std::move(text));
}

Task<Result<TargetClaims::Claim>> MoveCopyService::claim_source(AccountId account,
                                                                const ResolvedPath& from) {
  CO_TRY(auto text, co_await place_text(mounts_, account, from));
  co_return target_claims_.claim_source(std::move(text));
}

Task<Result<void>> MoveCopyService::rename(const Principal& principal, const ResolvedPath& from,
                                           const ResolvedPath& to) {
  return rename(principal.account->id, from, to, rechecks_of_move(principal, from, to).until_shown);
}

Task<Result<void>> MoveCopyService::rename_back(const Principal& principal,
                                                const ResolvedPath& from, const ResolvedPath& to) {
  return rename(principal.account->id, from, to, {});
}

Task<Result<void>> MoveCopyService::rename(AccountId account, ResolvedPath from, ResolvedPath to,
                                           Recheck may_rename) {
  // Once: what is claimed, what keys follow and what is renamed is one item.
  CO_TRY_VOID(co_await follow_links(from));
  CO_TRY_VOID(co_await follow_links(to));
  // A count of the files, as after a crash, would miss what gets another place meanwhile.
  Reservation uncounted = reservation(from);
  const bool is_being_counted =
      quota_.figures && from.quota_account && quota_.figures->is_unsure(from.quota_account->id);
  if (is_being_counted) {
    CO_TRY_VOID(co_await uncounted.hold());
  }
  CO_TRY(const auto leaving, co_await claim_source(account, from));
  CO_TRY(auto change, co_await folder_changes_.begin(account, from, &to));
  const auto renamed = co_await from.backend->rename(from.path, to.path, may_rename);
  co_await change.end(renamed);
  co_return renamed;
}

Task<Result<MoveCopyService::Claims>> MoveCopyService::claim_for_move(AccountId account,
                                                                      MoveCopyRequest& request) {
  // The end of the move removes what was copied, wherever links lead then.
  CO_TRY_VOID(co_await follow_links(request.from));
  CO_TRY(auto leaving, co_await claim_source(account, request.from));
  CO_TRY(auto claims, co_await claim_for_copy(account, request));
  claims.push_back(std::move(leaving));
  co_return claims;
}

Task<Result<MoveCopyService::Claims>> MoveCopyService::claim_for_copy(AccountId account,
                                                                      MoveCopyRequest& request) {
  CO_TRY(auto arriving, co_await claim_target(account, request.to));
  Claims claims;
  claims.push_back(std::move(arriving));
  co_return claims;
}

Task<Result<void>> MoveCopyService::move(const Principal& principal, MoveCopyRequest request) {
  if (request.from.shares_backend(request.to)) {
    co_return co_await rename(principal, request.from, request.to);
  }
  CO_TRY(auto claims, co_await claim_for_move(principal.account->id, request));
  co_return co_await in_task(principal, catalog::TaskKind::move, std::move(request),
                             std::move(claims));
}

Task<Result<void>> MoveCopyService::in_task(const Principal& principal, catalog::TaskKind kind,
                                            MoveCopyRequest request, Claims claims) {
  const bool moves = kind == catalog::TaskKind::move;
  Principal lasting = principal;
  lasting.outlives_sign_out = true;
  auto task = task_of(*principal.account, kind, request);
  auto rechecks = rechecks_of_move(lasting, request.from, request.to);
  auto may_go_on = recheck_copy(lasting, request.from, request.to);
  if (moves) may_go_on = rechecks.until_shown;
  const TaskLoad load = load_of(request);
  auto held = std::make_shared<MoveCopyRequest>(std::move(request));
  auto work = [this, principal = std::move(lasting), held, may_go_on, rechecks, moves,
               claims = std::move(claims)](RunningTask& running) mutable {
    const AccountId account = principal.account->id;
    return with_claims(std::move(claims),
                       moves ? move_across(account, held->from, held->to, rechecks, running)
                             : do_copy(principal, *held, may_go_on, running));
  };
  co_return co_await task_runner_.run(std::move(task), load, std::move(work),
                                      cancel_reason(may_go_on));
}

Task<Result<void>> MoveCopyService::move_in(RunningTask& running, const Principal& principal,
                                            MoveCopyRequest request) {
  if (request.from.shares_backend(request.to)) {
    co_return co_await rename(principal, request.from, request.to);
  }
  const AccountId account = principal.account->id;
  CO_TRY(const auto claims, co_await claim_for_move(account, request));
  auto rechecks = rechecks_of_move(principal, request.from, request.to);
  co_return co_await move_across(account, request.from, request.to, std::move(rechecks), running);
}

Task<Result<void>> MoveCopyService::copy(const Principal& principal, MoveCopyRequest request) {
  CO_TRY(auto claims, co_await claim_for_copy(principal.account->id, request));
  co_return co_await in_task(principal, catalog::TaskKind::copy, std::move(request),
                             std::move(claims));
}

Task<Result<void>> MoveCopyService::copy_in(RunningTask& running, const Principal& principal,
                                            MoveCopyRequest request) {
  CO_TRY(const auto claims, co_await claim_for_copy(principal.account->id, request));
  auto may_go_on = recheck_copy(principal, request.from, request.to);
  co_return co_await do_copy(principal, request, std::move(may_go_on), running);
}

Task<Result<void>> MoveCopyService::do_copy(Principal principal, const MoveCopyRequest& request,
                                            Recheck recheck, RunningTask& running) {
  if (request.from.shares_backend(request.to) && request.from.backend->copies()) {
    co_return co_await copy_within(std::move(principal), request.from, request.to, recheck,
                                   running);
  }
  co_return co_await copy_across(std::move(principal), request.from, request.to, recheck, running);
}

MoveCopyService::Recheck MoveCopyService::recheck_copy(const Principal& principal,
                                                       const ResolvedPath& from,
                                                       const ResolvedPath& to) {
  std::vector<MountUse> uses = {MountUse{from.mount, false}, MountUse{to.mount, true}};
  std::vector<PlaceChange> changes = {write_of(to)};
  return [this, principal, uses, changes] {
    return access_recheck_.of_change(principal, uses, changes);
  };
}

MoveCopyService::MoveRechecks MoveCopyService::rechecks_of_move(const Principal& principal,
                                                                const ResolvedPath& from,
                                                                const ResolvedPath& to) {
  std::vector<MountUse> uses = {MountUse{from.mount, true}, MountUse{to.mount, true}};
  const auto of = [&](std::vector<PlaceChange> changes) {
    return [this, principal, uses, changes = std::move(changes)] {
      return access_recheck_.of_change(principal, uses, changes);
    };
  };
  return {of({write_of(to), leave_of(from)}), of({leave_of(from)})};
}

Task<Result<void>> MoveCopyService::may_show(const Principal& principal, const ResolvedPath& to,
                                             const Recheck& recheck,
                                             std::optional<FolderLocks::Lock>& lock) {
  CO_TRY(lock, co_await folder_changes_.lock_scope(principal, to));
  co_return co_await recheck();
}

Task<Result<void>> MoveCopyService::copy_within(Principal principal, const ResolvedPath& from,
                                                const ResolvedPath& to, Recheck recheck,
                                                RunningTask& running) {
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is taken.");
  CO_TRY(const auto size, co_await from.backend->measure(from.path));
  if (size.files + size.folders > from.backend->most_copied()) {
    co_return co_await copy_across(std::move(principal), from, to, std::move(recheck), running);
  }
  running.progress().found(size.files + size.folders, size.bytes);
  Reservation stored = reservation(to);
  CO_TRY_VOID(co_await reserve(stored, to, size.bytes));
  std::optional<FolderLocks::Lock> lock;
  const storage::CopyOptions options{
      .limit_bytes = stored.bytes(),
      .on_staging = note_staging(to, running),
      .may_show = [&] { return may_show(principal, to, recheck, lock); },
      .watch = running.progress()};
  const auto copied =
      as_conflict_if_grown(co_await from.backend->copy(from.path, to.path, options));
  lock.reset();
  co_return co_await commit(stored, copied, running.progress());
}

Task<Result<void>> MoveCopyService::copy_across(Principal principal, const ResolvedPath& from,
                                                const ResolvedPath& to, Recheck recheck,
                                                RunningTask& running) {
  Reservation stored = reservation(to);
  CO_TRY_VOID(co_await reserve(stored, from, to));
  TransferOptions options = options_for(to, stored.bytes(), recheck, running);
  std::optional<FolderLocks::Lock> lock;
  options.may_show = [&] { return may_show(principal, to, recheck, lock); };
  // Each file takes two of the server's few connections.
  if (from.shares_backend(to)) options.files_in_flight = 1;
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto copied = as_conflict_if_grown(
      co_await transfer(source, target, std::move(options), running.progress()));
  lock.reset();
  co_return co_await commit(stored, copied, running.progress());
}

Task<Result<void>> MoveCopyService::begin_move(AccountId account, const ResolvedPath& from,
                                               const ResolvedPath& to, const Name& aside,
                                               const Recheck& recheck, MoveChanges& changes) {
  CO_TRY(auto begun, co_await folder_changes_.begin_move(account, from, to, aside));
  changes.move.emplace(std::move(begun));
  CO_TRY_VOID(co_await recheck());
  changes.may_be_shown = true;
  co_return Result<void>{};
}

/// A drive's source keeps its name.
Task<Result<void>> MoveCopyService::note_copied(AccountId account, const ResolvedPath& from,
                                                const Name& aside, Parking::Copy copy,
                                                MoveChanges& changes) {
  if (!from.backend->renames_in_one_step()) co_return Result<void>{};
  CO_TRY(auto parked, co_await parking_.note(account, from, aside, copy));
  changes.parked.emplace(std::move(parked));
  co_return Result<void>{};
}

Task<Result<void>> MoveCopyService::leave_source(AccountId account, const ResolvedPath& from,
                                                 MoveChanges& changes) {
  // On this machine's disks it goes in one step.
  if (changes.parked && from.is_on_server()) CO_TRY_VOID(co_await changes.parked->leave());
  co_await changes.move->follow();
  changes.move.reset();
  if (from.backend->renames_in_one_step()) co_return Result<void>{};
  CO_TRY(auto deletion, co_await folder_changes_.begin(account, from, nullptr));
  changes.deletion.emplace(std::move(deletion));
  co_return Result<void>{};
}

Task<void> MoveCopyService::keep_keys(MoveChanges& changes, const TransferProgress& progress) {
  if (changes.move) co_await changes.move->cancel(!progress.lost_source());
  changes.move.reset();
}

Task<void> MoveCopyService::give_up(MoveChanges& changes, const TransferProgress& progress) {
  co_await keep_keys(changes, progress);
  co_await end_note(changes, progress);
}

Task<void> MoveCopyService::end_note(MoveChanges& changes, const TransferProgress& progress) {
  // A server that went away may have left the source without its name.
  if (!changes.parked || progress.lost_source()) co_return;
  co_await changes.parked->end();
  changes.parked.reset();
}

Task<Result<void>> MoveCopyService::move_across(AccountId account, const ResolvedPath& from,
                                                const ResolvedPath& to, MoveRechecks rechecks,
                                                RunningTask& running) {
  Reservation freed = reservation(from);
  CO_TRY_VOID(co_await freed.hold());
  Reservation stored = reservation(to);
  CO_TRY_VOID(co_await reserve(stored, from, to));
  MoveChanges changes;
  Recheck recheck = [&] {
    return changes.may_be_shown ? rechecks.from_then_on() : rechecks.until_shown();
  };
  TransferOptions options = options_for(to, stored.bytes(), std::move(recheck), running);
  const Name aside = name_not_moved(from.path.name());
  options.aside = aside;
  options.on_copied = [&](const CopiedSource& copied) {
    return note_copied(account, from, aside, {to, copied}, changes);
  };
  options.may_show = [&] {
    return begin_move(account, from, to, aside, rechecks.until_shown, changes);
  };
  options.on_not_shown = [&] { return give_up(changes, running.progress()); };
  options.on_leaving = [&] { return leave_source(account, from, changes); };
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto moved = as_conflict_if_grown(
      co_await transfer_move(source, target, std::move(options), running.progress()));
  co_await keep_keys(changes, running.progress());
  if (changes.deletion) co_await changes.deletion->end(moved);
  co_await end_note(changes, running.progress());
  auto settled = co_await commit(stored, moved, running.progress());
  if (const auto& removed = running.progress().removed()) {
    CO_TRY_VOID(co_await freed.commit(-static_cast<std::int64_t>(removed->all_bytes())));
  }
  co_return settled;
}

}  // namespace coffer::core
