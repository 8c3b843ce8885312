#include "core/versions/version_keeper.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/log.h"

namespace coffer::core {
namespace {

/// Runs `free`, which returns how many bytes it has freed, and counts them. A recount of the files
/// that goes on meanwhile is made again.
Task<Result<std::uint64_t>> count_freed(catalog::Ledger& ledger, AccountId account,
                                        Task<Result<std::uint64_t>> free) {
  auto held = co_await ledger.reserve_to_free(account);
  // A full catalog records the freed bytes later.
  if (!held && held.error().code != ErrorCode::disk_full) co_return std::unexpected(held.error());
  const std::uint64_t held_bytes = held ? catalog::Ledger::kFreeingBytes : 0;
  auto freed = co_await std::move(free);
  const auto delta = -static_cast<std::int64_t>(freed.value_or(0));
  CO_TRY_VOID(co_await ledger.record(account, held_bytes, delta));
  co_return freed;
}

Task<Result<std::uint64_t>> expire_some(storage::Versions& versions, Timestamp before,
                                        bool& is_more) {
  CO_TRY(const auto expired, co_await versions.expire(before));
  is_more = expired.is_more;
  co_return expired.freed_bytes;
}

}  // namespace

Task<std::shared_ptr<storage::Backend>> VersionKeeper::home_of(AccountId account) {
  const auto known = co_await catalog_.accounts().get(account);
  if (!known) co_return nullptr;
  auto home = homes_.of(*known);
  if (!home || (*home)->versions() == nullptr) co_return nullptr;
  co_return *std::move(home);
}

Task<std::uint64_t> VersionKeeper::freeable_bytes(AccountId account) {
  std::uint64_t bytes = co_await bin_.freeable_bytes(account);
  if (const auto home = co_await home_of(account)) {
    const auto of_versions = co_await home->versions()->total_bytes();
    bytes += of_versions.value_or(0);
  }
  co_return bytes;
}

/// Returns how many bytes must be freed before so many more fit.
Task<std::uint64_t> VersionKeeper::lacking(AccountId account, std::uint64_t bytes) {
  const auto usage = co_await catalog_.ledger().usage(account);
  if (!usage || usage->limit_bytes == 0) co_return 0;
  const std::uint64_t wanted = usage->used_bytes + usage->reserved_bytes + bytes;
  co_return wanted - std::min(wanted, usage->limit_bytes);
}

Task<std::uint64_t> VersionKeeper::free_oldest(AccountId account, storage::Versions& versions,
                                               std::uint64_t bytes) {
  const auto freed = co_await count_freed(catalog_.ledger(), account, versions.free_up(bytes));
  if (!freed) spdlog::warn("versions are not removed for room: {}", freed.error().message);
  co_return freed.value_or(0);
}

Task<bool> VersionKeeper::free_up(AccountId account, std::uint64_t bytes) {
  const auto home = co_await home_of(account);
  if (!home) co_return co_await bin_.free_up(account, bytes);
  const std::uint64_t needed = co_await lacking(account, bytes);
  const auto of_versions = co_await home->versions()->total_bytes();
  if (needed == 0 || !of_versions) co_return co_await bin_.free_up(account, bytes);
  if (needed > *of_versions) {
    const std::uint64_t in_bin = co_await bin_.freeable_bytes(account);
    if (needed - *of_versions > in_bin) co_return false;
  }
  const std::uint64_t freed = co_await free_oldest(account, *home->versions(), needed);
  if (freed >= needed) co_return true;
  const bool is_freed = co_await bin_.free_up(account, bytes);
  co_return is_freed || freed > 0;
}

Task<bool> VersionKeeper::free_versions(AccountId account, std::uint64_t bytes,
                                        std::uint64_t ahead_bytes) {
  const auto home = co_await home_of(account);
  if (!home) co_return false;
  const std::uint64_t needed = co_await lacking(account, bytes);
  const auto of_versions = co_await home->versions()->total_bytes();
  if (needed == 0 || !of_versions || needed > *of_versions) co_return false;
  const std::uint64_t wanted = std::min(needed + ahead_bytes, *of_versions);
  co_return co_await free_oldest(account, *home->versions(), wanted) > 0;
}

Task<Result<void>> VersionKeeper::expire(AccountId account, storage::Versions& versions,
                                         Timestamp before) {
  for (bool is_more = true; is_more && !is_ending_;) {
    CO_TRY(
        [[maybe_unused]] const auto freed,
        co_await count_freed(catalog_.ledger(), account, expire_some(versions, before, is_more)));
  }
  co_return Result<void>{};
}

Task<void> VersionKeeper::sweep(Timestamp before) {
  const auto accounts = co_await catalog_.accounts().list();
  if (!accounts) co_return;
  for (const catalog::Account& account : *accounts) {
    if (is_ending_) co_return;
    const auto home = homes_.of(account);
    if (!home || (*home)->versions() == nullptr) continue;
    const auto expired = co_await expire(account.id, *(*home)->versions(), before);
    if (!expired) {
      spdlog::warn("old versions of account {} are not removed: {}", account.name,
                   expired.error().message);
    }
  }
}

}  // namespace coffer::core
