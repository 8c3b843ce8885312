#include "core/relocation.h"

#include <memory>
#include <utility>

#include "base/log.h"
#include "core/key_scopes.h"
#include "core/transfer.h"

namespace coffer::core {
namespace {

catalog::NewTask task_of(AccountId account, catalog::TaskKind kind, const Route& route) {
  return {account, kind, route.from.account_path().str(), route.to.account_path().str()};
}

Task<Result<void>> reserve(Reservation& reservation, std::uint64_t bytes) {
  auto reserved = co_await reservation.grow_to(bytes);
  if (!reserved) co_return reserved;
  co_return co_await reservation.hold();
}

/// Sets aside what the source takes at the destination.
Task<Result<void>> reserve(Reservation& reservation, const Place& from, const Place& to) {
  if (!to.quota_account) co_return Result<void>{};
  const auto size = co_await from.backend->measure(from.path);
  if (!size) co_return failure_of(size);
  co_return co_await reserve(reservation, size->bytes);
}

/// Notes where an item is collected before it is made, from the account's root.
auto note_staging(const Place& to, Job& job) {
  return [&to, &job](const Path& path) { return job.note_left_over((to.base / path).str()); };
}

TransferOptions options_for(const Place& to, std::uint64_t limit_bytes, Job& job) {
  TransferOptions options;
  options.limit_bytes = limit_bytes;
  options.on_staging = note_staging(to, job);
  return options;
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

}  // namespace

Task<Result<void>> Relocation::rename(AccountId account, const Place& from, const Place& to) {
  const auto scope = co_await used_scope_of(catalog_.keys(), account, from);
  if (!scope) co_return failure_of(scope);
  if (!*scope) co_return co_await from.backend->rename(from.path, to.path);
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  const auto new_scope = co_await scope_of(to);
  if (!new_scope) co_return failure_of(new_scope);
  // The keys go first: between the two steps they lead to a name that is not there yet, never to
  // another folder that takes the old name.
  auto moved = co_await catalog_.keys().move_scopes(account, **scope, *new_scope);
  if (!moved) co_return moved;
  auto renamed = co_await from.backend->rename(from.path, to.path);
  if (renamed) co_return renamed;
  const auto back = co_await catalog_.keys().move_scopes(account, *new_scope, **scope);
  if (!back) spdlog::error("the scopes of keys could not be put back: {}", back.error().message);
  co_return renamed;
}

Task<Result<void>> Relocation::move(AccountId account, Route route) {
  if (route.from.backend == route.to.backend) {
    co_return co_await rename(account, route.from, route.to);
  }
  auto task = task_of(account, catalog::TaskKind::move, route);
  auto objection = this->objection(account, route, true);
  auto held = std::make_shared<Route>(std::move(route));
  auto work = [this, account, held](Job& job) {
    return move_across(account, held->from, held->to, job);
  };
  co_return co_await long_work_.run(std::move(task), std::move(work), std::move(objection));
}

Task<Result<void>> Relocation::copy(AccountId account, Route route) {
  auto task = task_of(account, catalog::TaskKind::copy, route);
  auto objection = this->objection(account, route, false);
  auto held = std::make_shared<Route>(std::move(route));
  auto work = [this, held](Job& job) {
    if (held->from.backend == held->to.backend) return copy_within(held->from, held->to, job);
    return copy_across(held->from, held->to, job);
  };
  co_return co_await long_work_.run(std::move(task), std::move(work), std::move(objection));
}

Objection Relocation::objection(AccountId account, const Route& route, bool moves) {
  const MountUse from{route.from.mount, moves};
  const MountUse to{route.to.mount, true};
  return [this, account, uses = std::vector{from, to}] { return withdrawals_.of(account, uses); };
}

Task<Result<void>> Relocation::copy_within(const Place& from, const Place& to, Job& job) {
  const auto taken = co_await to.backend->stat(to.path);
  if (taken) co_return fail(ErrorCode::exists, "The name is already taken.");
  const auto size = co_await from.backend->measure(from.path);
  if (!size) co_return failure_of(size);
  job.progress().found(size->files + size->folders, size->bytes);
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, size->bytes);
  if (!reserved) co_return reserved;
  const storage::CopyOptions options{
      .limit_bytes = stored.bytes(), .on_staging = note_staging(to, job), .watch = job.progress()};
  const auto copied = co_await from.backend->copy(from.path, to.path, options);
  if (!copied) co_return failure_of(copied);
  co_return co_await stored.settle(static_cast<std::int64_t>(copied->bytes));
}

Task<Result<void>> Relocation::copy_across(const Place& from, const Place& to, Job& job) {
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, from, to);
  if (!reserved) co_return reserved;
  TransferOptions options = options_for(to, stored.bytes(), job);
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto copied = co_await transfer(source, target, std::move(options), job.progress());
  co_return co_await settle(stored, copied, job.progress());
}

Task<Result<void>> Relocation::move_across(AccountId account, const Place& from, const Place& to,
                                           Job& job) {
  Reservation freed = reservation(from);
  auto held = co_await freed.hold();
  if (!held) co_return held;
  Reservation stored = reservation(to);
  auto reserved = co_await reserve(stored, from, to);
  if (!reserved) co_return reserved;
  TransferOptions options = options_for(to, stored.bytes(), job);
  options.on_shown = [&] { return take_keys_along(account, from, to); };
  const TransferEnd source{*from.backend, from.path};
  const TransferEnd target{*to.backend, to.path};
  const auto moved = co_await transfer_move(source, target, std::move(options), job.progress());
  auto settled = co_await settle(stored, moved, job.progress());
  if (!settled) co_return settled;
  const std::uint64_t removed = job.progress().removed() ? job.progress().removed()->bytes : 0;
  co_return co_await freed.settle(-static_cast<std::int64_t>(removed));
}

Task<Result<void>> Relocation::take_keys_along(AccountId account, const Place& from,
                                               const Place& to) {
  const auto scope = co_await used_scope_of(catalog_.keys(), account, from);
  if (!scope) co_return failure_of(scope);
  if (!*scope) co_return Result<void>{};
  const auto new_scope = co_await scope_of(to);
  if (!new_scope) co_return failure_of(new_scope);
  co_return co_await catalog_.keys().move_scopes(account, **scope, *new_scope);
}

}  // namespace coffer::core
