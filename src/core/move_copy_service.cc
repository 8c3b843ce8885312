#include "core/move_copy_service.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/capacity.h"
#include "core/placement.h"
#include "core/transfer/transfer.h"

namespace coffer::core {
namespace {

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
    const auto room = co_await reservation.room();
    if (!room) co_return failure_of(room);
    if (bytes <= *room) co_return held;
  }
  auto reserved = co_await reservation.grow_to(bytes);
  if (!reserved) co_return reserved;
  co_return co_await reservation.hold();
}

/// Sets aside what the source takes at the destination. `exists` comes before `over_quota`.
Task<Result<void>> reserve(Reservation& reservation, const ResolvedPath& from,
                           const ResolvedPath& to) {
  if (!to.quota_account) co_return Result<void>{};
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  const auto size = co_await from.backend->measure(from.path);
  if (!size) co_return failure_of(size);
  co_return co_await reserve(reservation, to, size->bytes);
}

/// Notes where an item is collected before it is made, from the account's root.
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

/// What the source took was set aside, so that what does not fit came to it meanwhile.
Result<storage::TreeSize> tell_growth(Result<storage::TreeSize> copied) {
  if (copied || copied.error().code != ErrorCode::over_quota) return copied;
  return fail(ErrorCode::conflict, "The source grew while its content was read. Try again.");
}

/// Counts what stands at the destination, also after a failure that left it there.
Task<Result<void>> settle(Reservation& stored, const Result<storage::TreeSize>& result,
                          const TransferProgress& progress) {
  if (!result && !progress.kept()) co_return failure_of(result);
  const std::uint64_t bytes = result ? result->bytes : progress.kept()->bytes;
  auto settled = co_await stored.settle(static_cast<std::int64_t>(bytes));
  if (!settled) co_return settled;
  if (!result) co_return failure_of(result);
  co_return Result<void>{};
}

/// Why work is to stop, if a right to it was lost. What cannot be asked just now stands.
Task<std::optional<Error>> withdrawal_of(std::function<Task<Result<void>>()> recheck) {
  auto stands = co_await recheck();
  if (stands || !is_withdrawal(stands.error())) co_return std::nullopt;
  co_return std::move(stands).error();
}

/// The work, with its places claimed until it ends.
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

Task<Result<TargetClaims::Claim>> MoveCopyService::claim(AccountId account, ResolvedPath& to) {
  auto followed = co_await follow_links(to);
  if (!followed) co_return failure_of(std::move(followed));
  auto text = co_await place_text(mounts_, account, to);
  if (!text) co_return failure_of(std::move(text));
  co_return target_claims_.claim(*std::move(text));
}

Task<Result<TargetClaims::Claim>> MoveCopyService::leave(AccountId account, ResolvedPath from) {
  auto followed = co_await follow_links(from);
  if (!followed) co_return failure_of(std::move(followed));
  auto text = co_await place_text(mounts_, account, from);
  if (!text) co_return failure_of(std::move(text));
  co_return target_claims_.leave(*std::move(text));
}

Task<Result<void>> MoveCopyService::rename(const Principal& principal, const ResolvedPath& from,
                                           const ResolvedPath& to) {
  return rename(principal.account->id, from, to, recheck(principal, from, to, true));
}

Task<Result<void>> MoveCopyService::rename_back(const Principal& principal,
                                                const ResolvedPath& from, const ResolvedPath& to) {
  return rename(principal.account->id, from, to,
                []() -> Task<Result<void>> { co_return Result<void>{}; });
}

Task<Result<void>> MoveCopyService::rename(AccountId account, const ResolvedPath& from,
                                           const ResolvedPath& to, Recheck may_rename) {
  const auto leaving = co_await leave(account, from);
  if (!leaving) co_return failure_of(leaving);
  auto change = co_await folder_changes_.begin(account, from, &to);
  if (!change) co_return failure_of(std::move(change));
  const auto renamed = co_await from.backend->rename(from.path, to.path, may_rename);
  co_await change->end(renamed.has_value());
  co_return renamed;
}

Task<Result<MoveCopyService::Claims>> MoveCopyService::claim_for_move(AccountId account,
                                                                      MoveCopyRequest& request) {
  auto leaving = co_await leave(account, request.from);
  if (!leaving) co_return failure_of(std::move(leaving));
  auto claims = co_await claim_for_copy(account, request);
  if (claims) claims->push_back(*std::move(leaving));
  co_return claims;
}

Task<Result<MoveCopyService::Claims>> MoveCopyService::claim_for_copy(AccountId account,
                                                                      MoveCopyRequest& request) {
  auto arriving = co_await claim(account, request.to);
  if (!arriving) co_return failure_of(std::move(arriving));
  Claims claims;
  claims.push_back(*std::move(arriving));
  co_return claims;
}

Task<Result<void>> MoveCopyService::move(const Principal& principal, MoveCopyRequest request) {
  if (request.from.backend == request.to.backend) {
    co_return co_await rename(principal, request.from, request.to);
  }
  const AccountId account = principal.account->id;
  auto claims = co_await claim_for_move(account, request);
  if (!claims) co_return failure_of(std::move(claims));
  auto task = task_of(*principal.account, catalog::TaskKind::move, request);
  auto may_go_on = recheck(principal, request.from, request.to, true);
  const TaskLoad load = load_of(request);
  auto held = std::make_shared<MoveCopyRequest>(std::move(request));
  auto work = [this, account, held, may_go_on,
               claims = *std::move(claims)](RunningTask& running) mutable {
    return with_claims(std::move(claims),
                       move_across(account, held->from, held->to, may_go_on, running));
  };
  co_return co_await task_runner_.run(std::move(task), load, std::move(work),
                                      cancel_reason(may_go_on));
}

Task<Result<void>> MoveCopyService::move_in(RunningTask& running, const Principal& principal,
                                            MoveCopyRequest request) {
  if (request.from.backend == request.to.backend) {
    co_return co_await rename(principal, request.from, request.to);
  }
  const AccountId account = principal.account->id;
  const auto claims = co_await claim_for_move(account, request);
  if (!claims) co_return failure_of(claims);
  auto may_go_on = recheck(principal, request.from, request.to, true);
  co_return co_await move_across(account, request.from, request.to, std::move(may_go_on), running);
}

Task<Result<void>> MoveCopyService::copy(const Principal& principal, MoveCopyRequest request) {
  auto claims = co_await claim_for_copy(principal.account->id, request);
  if (!claims) co_return failure_of(std::move(claims));
  auto task = task_of(*principal.account, catalog::TaskKind::copy, request);
  auto may_go_on = recheck(principal, request.from, request.to, false);
  const TaskLoad load = load_of(request);
  auto held = std::make_shared<MoveCopyRequest>(std::move(request));
  auto work = [this, principal, held, may_go_on,
               claims = *std::move(claims)](RunningTask& running) mutable {
    return with_claims(std::move(claims), do_copy(principal, *held, may_go_on, running));
  };
  co_return co_await task_runner_.run(std::move(task), load, std::move(work),
                                      cancel_reason(may_go_on));
}

Task<Result<void>> MoveCopyService::copy_in(RunningTask& running, const Principal& principal,
                                            MoveCopyRequest request) {
  const auto claims = co_await claim_for_copy(principal.account->id, request);
  if (!claims) co_return failure_of(claims);
  auto may_go_on = recheck(principal, request.from, request.to, false);
  co_return co_await do_copy(principal, request, std::move(may_go_on), running);
}

Task<Result<void>> MoveCopyService::do_copy(Principal principal, const MoveCopyRequest& request,
                                            Recheck recheck, RunningTask& running) {
  const bool is_within = request.from.backend == request.to.backend;
  if (!is_within) co_return co_await copy_across(request.from, request.to, recheck, running);
  co_return co_await copy_within(std::move(principal), request.from, request.to, recheck, running);
}

MoveCopyService::Recheck MoveCopyService::recheck(const Principal& principal,
                                                  const ResolvedPath& from, const ResolvedPath& to,
                                                  bool moves) {
  std::vector<MountUse> uses = {MountUse{from.mount, moves}, MountUse{to.mount, true}};
  return [this, principal, uses] { return access_recheck_.of(principal, uses); };
}

Task<Result<void>> MoveCopyService::may_show(const Principal& principal, const Recheck& recheck,
                                             std::optional<FolderLocks::Hold>& still) {
  still = co_await folder_changes_.keep_still(principal);
  co_return co_await recheck();
}

Task<Result<void>> MoveCopyService::copy_within(Principal principal, const ResolvedPath& from,
                                                const ResolvedPath& to, Recheck recheck,
                                                RunningTask& running) {
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  const auto size = co_await from.backend->measure(from.path);
  if (!size) co_return failure_of(size);
  running.progress().found(size->files + size->folders, size->bytes);
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, to, size->bytes);
  if (!reserved) co_return reserved;
  std::optional<FolderLocks::Hold> still;
  const storage::CopyOptions options{
      .limit_bytes = stored.bytes(),
      .on_staging = note_staging(to, running),
      .may_show = [&] { return may_show(principal, recheck, still); },
      .watch = running.progress()};
  const auto copied = tell_growth(co_await from.backend->copy(from.path, to.path, options));
  still.reset();
  co_return co_await settle(stored, copied, running.progress());
}

Task<Result<void>> MoveCopyService::copy_across(const ResolvedPath& from, const ResolvedPath& to,
                                                Recheck recheck, RunningTask& running) {
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, from, to);
  if (!reserved) co_return reserved;
  TransferOptions options = options_for(to, stored.bytes(), std::move(recheck), running);
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto copied =
      tell_growth(co_await transfer(source, target, std::move(options), running.progress()));
  co_return co_await settle(stored, copied, running.progress());
}

Task<Result<void>> MoveCopyService::begin_change(AccountId account, const ResolvedPath& from,
                                                 const ResolvedPath& to,
                                                 std::optional<FolderChanges::Change>& change) {
  auto begun = co_await folder_changes_.begin(account, from, &to);
  if (!begun) co_return failure_of(std::move(begun));
  change.emplace(*std::move(begun));
  co_return Result<void>{};
}

Task<Result<void>> MoveCopyService::leave_source(AccountId account, const ResolvedPath& from,
                                                 std::optional<FolderChanges::Change>& change) {
  co_await change->end(true);
  change.reset();
  if (from.backend->renames_in_one_step()) co_return Result<void>{};
  // It stands under its name until it is deleted, and a key made for it until then goes with it.
  auto deletion = co_await folder_changes_.begin(account, from, nullptr);
  if (!deletion) co_return failure_of(std::move(deletion));
  change.emplace(*std::move(deletion));
  co_return Result<void>{};
}

Task<Result<void>> MoveCopyService::move_across(AccountId account, const ResolvedPath& from,
                                                const ResolvedPath& to, Recheck recheck,
                                                RunningTask& running) {
  Reservation freed = reservation(from);
  auto held = co_await freed.hold();
  if (!held) co_return held;
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, from, to);
  if (!reserved) co_return reserved;
  TransferOptions options = options_for(to, stored.bytes(), std::move(recheck), running);
  std::optional<FolderChanges::Change> change;
  options.on_shown = [&] { return begin_change(account, from, to, change); };
  options.on_leaving = [&] { return leave_source(account, from, change); };
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto moved =
      tell_growth(co_await transfer_move(source, target, std::move(options), running.progress()));
  if (change) co_await change->end(moved.has_value());
  auto settled = co_await settle(stored, moved, running.progress());
  if (const auto& removed = running.progress().removed()) {
    auto given = co_await freed.settle(-static_cast<std::int64_t>(removed->bytes));
    if (!given) co_return given;
  }
  co_return settled;
}

}  // namespace coffer::core
