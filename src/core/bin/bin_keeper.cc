#include "core/bin/bin_keeper.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/log.h"
#include "catalog/mount_paths.h"
#include "core/files/listing.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::BinItem;
using catalog::BinState;

/// True if the name is taken, also by a dangling link, which `stat` does not find. The rename of
/// the path to itself changes nothing.
Task<Result<bool>> is_taken(storage::Backend& backend, const Path& path) {
  const auto looked = co_await backend.rename(path, path);
  if (looked || looked.error().code == ErrorCode::exists) co_return true;
  if (looked.error().code == ErrorCode::not_found) co_return false;
  co_return failure_of(looked);
}

/// `unavailable` if the bin is missing and the place is empty, as if its disk were not mounted, or
/// a link that is not followed stands in its place. Success if the bin exists, or is missing from a
/// place with other items.
Task<Result<void>> check_bin(storage::Backend& backend, const Path& bin) {
  const auto folder = co_await backend.stat(bin);
  if (folder) co_return Result<void>{};
  if (folder.error().code != ErrorCode::not_found) co_return failure_of(folder);
  CO_TRY(const auto taken, co_await is_taken(backend, bin));
  if (taken) {
    co_return fail(ErrorCode::unavailable, "The folder of the bin, .coffer-bin, is a link there.");
  }
  co_return co_await check_mounted(backend);
}

/// Checks, after a failed deletion, that the item is gone: a server that hides an item may report
/// that it does not exist.
Task<Result<void>> check_gone(storage::Backend& backend, const Path& path, Error failure) {
  if (failure.code != ErrorCode::not_found) co_return std::unexpected(std::move(failure));
  CO_TRY(const auto taken, co_await is_taken(backend, path));
  if (!taken) co_return Result<void>{};
  co_return fail(ErrorCode::refused, "Its server does not let it be deleted.");
}

catalog::Turn turn_of(const BinItem& item) {
  return item.account ? catalog::Turn(*item.account) : catalog::Turn::server();
}

std::uint64_t size_of(const BinItem& item) {
  return item.size_bytes.value_or(0);
}

void warn(const BinItem& item, const Error& error) {
  spdlog::warn("an item of the bin, formerly \"{}\", cannot be processed now: {}", item.path,
               error.message);
}

}  // namespace

Path bin_path_of(const BinItem& item) {
  return Path::parse(std::string(storage::kBinFolder) + '/' + item.id.value).value();
}

BinKeeper::Guard::Guard(BinKeeper& keeper, BinItemId id) : keeper_(keeper), id_(std::move(id)) {
  const std::lock_guard lock(keeper_.mutex_);
  keeper_.guarded_.insert(id_.value);
}

BinKeeper::Guard::~Guard() {
  const std::lock_guard lock(keeper_.mutex_);
  keeper_.guarded_.erase(keeper_.guarded_.find(id_.value));
}

bool BinKeeper::is_guarded_once(const BinItemId& id) {
  const std::lock_guard lock(mutex_);
  return guarded_.count(id.value) == 1;
}

bool lies_in(const BinItem& item, const Mount& mount) {
  return item.leads_to.empty() || item.leads_to == mount.leads_to;
}

Task<Result<BinKeeper::OpenPlace>> BinKeeper::place_of(const BinItem& item) {
  auto place = co_await open(item);
  if (!place || !place->is_other) co_return place;
  co_return fail(ErrorCode::unavailable,
                 "The location that it was deleted in leads to another place now.");
}

Task<Result<BinKeeper::OpenPlace>> BinKeeper::open(const BinItem& item) {
  OpenPlace place;
  if (item.place.starts_with(catalog::kSharePrefix)) {
    CO_TRY(auto share, co_await mounts_.open_share(item.place));
    place.is_other = !lies_in(item, share.mount);
    place.backend = std::move(share.backend);
    co_return place;
  }
  if (!item.account) co_return fail(ErrorCode::not_found, "Its account is not there any more.");
  if (!item.place.empty()) {
    CO_TRY(auto opened, co_await mounts_.open(*item.account, item.place));
    place.is_other = !lies_in(item, opened.mount);
    place.backend = std::move(opened.backend);
    co_return place;
  }
  CO_TRY(const auto account, co_await catalog_.accounts().get(*item.account));
  CO_TRY(auto home, homes_.of(account));
  place.backend = std::move(home);
  place.has_quota = true;
  co_return place;
}

Task<Result<void>> BinKeeper::discard(BinItem item) {
  const Guard guard(*this, item.id);
  CO_TRY(const auto claimed,
         co_await catalog_.bin().claim(turn_of(item), item.id, BinState::discarding));
  if (!claimed) co_return fail(ErrorCode::not_found, "There is no such item in the bin.");
  auto discarded = co_await discard_claimed(item);
  if (discarded) co_return discarded;
  // The item, or a part of it, still exists.
  const auto released = co_await catalog_.bin().release(turn_of(item), item.id);
  if (!released) warn(item, released.error());
  co_return discarded;
}

Task<Result<void>> BinKeeper::discard_claimed(const BinItem& item) {
  CO_TRY_VOID(co_await remove(item));
  co_return co_await catalog_.bin().drop(turn_of(item), item.id);
}

/// Updates the quota before the catalog drops the item.
Task<Result<void>> BinKeeper::remove(const BinItem& item) {
  CO_TRY(const auto place, co_await place_of(item));
  const Path path = bin_path_of(item);
  CO_TRY_VOID(co_await check_bin(*place.backend, path.parent()));
  catalog::Ledger& ledger = catalog_.ledger();
  std::uint64_t held_bytes = 0;
  if (place.has_quota) {
    auto held = co_await ledger.reserve_to_free(*item.account);
    // A full catalog records the freed bytes later.
    if (!held && held.error().code != ErrorCode::disk_full) co_return held;
    if (held) held_bytes = catalog::Ledger::kFreeingBytes;
  }
  const auto removed = co_await place.backend->remove(path);
  Result<void> is_gone;
  if (!removed) is_gone = co_await check_gone(*place.backend, path, removed.error());
  if (place.has_quota) {
    const std::uint64_t freed = removed ? removed->all_bytes() : 0;
    CO_TRY_VOID(
        co_await ledger.record(*item.account, held_bytes, -static_cast<std::int64_t>(freed)));
  }
  if (!is_gone) co_return is_gone;
  if (removed && removed->unsafe) co_return std::unexpected(*removed->unsafe);
  co_return Result<void>{};
}

Task<Result<void>> BinKeeper::reconcile(BinItem item) {
  CO_TRY(const auto place, co_await place_of(item));
  const Path path = bin_path_of(item);
  const auto entry = co_await place.backend->stat(path);
  if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  if (!entry) {
    CO_TRY_VOID(co_await check_bin(*place.backend, path.parent()));
    CO_TRY(const auto taken, co_await is_taken(*place.backend, path));
    if (!taken) co_return co_await catalog_.bin().drop(turn_of(item), item.id);
  }
  const bool is_folder = entry && entry->is_directory;
  std::optional<std::uint64_t> size_bytes;
  if (item.place.empty() || item.place.starts_with(catalog::kSharePrefix)) {
    const auto size = co_await place.backend->measure(path);
    if (size) size_bytes = size->bytes;
  } else if (entry && !is_folder) {
    size_bytes = entry->size_bytes;
  }
  co_return co_await catalog_.bin().keep(turn_of(item), item.id, is_folder, size_bytes);
}

/// Uses the current state: another caller may have completed the item and begun a new operation.
Task<void> BinKeeper::reconcile_one(BinItem item) {
  const Guard guard(*this, item.id);
  if (!is_guarded_once(item.id)) co_return;
  const auto found = co_await catalog_.bin().state_of(turn_of(item), item.id);
  const auto state = found.value_or(std::nullopt);
  Result<void> ended;
  if (state == BinState::discarding) ended = co_await discard_claimed(item);
  if (state == BinState::open) ended = co_await reconcile(item);
  if (!ended) warn(item, ended.error());
}

Task<void> BinKeeper::reconcile_each(std::vector<BinItem> items) {
  for (const BinItem& item : items) co_await reconcile_one(item);
}

Task<void> BinKeeper::reconcile_open(AccountId account) {
  auto items = co_await catalog_.bin().unfinished(account);
  if (items) co_await reconcile_each(*std::move(items));
}

Task<void> BinKeeper::sweep(Timestamp before, Background& background) {
  const auto unfinished = co_await catalog_.bin().unfinished();
  const auto due = co_await catalog_.bin().due(before);
  Sweep on_disks;
  std::map<AccountId, Sweep> on_servers;
  const auto sweep_of = [&](const BinItem& item) -> Sweep& {
    const bool is_on_server = item.account && item.place.starts_with(catalog::kConnectorPrefix);
    return is_on_server ? on_servers[*item.account] : on_disks;
  };
  if (!unfinished || !due) co_return;
  for (const BinItem& item : *unfinished) {
    sweep_of(item).unfinished.push_back(item);
    // Once that is ended, it may be in the bin, and due.
    if (!item.account || item.deleted_at < before) sweep_of(item).due.push_back(item);
  }
  for (const BinItem& item : *due) sweep_of(item).due.push_back(item);
  for (auto& [account, sweep] : on_servers) {
    if (begin_on_servers(account)) background.spawn(sweep_servers(account, std::move(sweep)));
  }
  co_await sweep_each(std::move(on_disks));
}

Task<void> BinKeeper::sweep_each(Sweep sweep) {
  for (const BinItem& item : sweep.unfinished) {
    if (is_ending_) co_return;
    co_await reconcile_one(item);
  }
  for (const BinItem& item : sweep.due) {
    if (is_ending_) co_return;
    co_await discard_due(item);
  }
}

/// A server that lists without end holds up only what its own account has on servers.
Task<void> BinKeeper::sweep_servers(AccountId account, Sweep sweep) {
  co_await sweep_each(std::move(sweep));
  const std::lock_guard lock(mutex_);
  swept_on_servers_.erase(account);
}

bool BinKeeper::begin_on_servers(AccountId account) {
  const std::lock_guard lock(mutex_);
  return swept_on_servers_.insert(account).second;
}

/// Nothing can be deleted in a place that the mount does not lead to; the record goes, or records
/// would be kept without an end.
Task<void> BinKeeper::discard_due(const BinItem& item) {
  const auto place = co_await open(item);
  Result<void> ended;
  if (place && place->is_other) {
    ended = co_await catalog_.bin().drop(turn_of(item), item.id);
  } else {
    ended = co_await discard(item);
  }
  if (!ended && ended.error().code != ErrorCode::not_found) warn(item, ended.error());
}

Task<std::uint64_t> BinKeeper::freeable_bytes(AccountId account) {
  const auto items = co_await catalog_.bin().list_own(account);
  if (!items) co_return 0;
  co_return std::accumulate(
      items->begin(), items->end(), std::uint64_t{0},
      [](std::uint64_t sum, const BinItem& item) { return sum + size_of(item); });
}

Task<bool> BinKeeper::free_up(AccountId account, std::uint64_t bytes) {
  const auto items = co_await catalog_.bin().list_own(account);
  if (!items || items->empty()) co_return false;
  const auto usage = co_await catalog_.ledger().usage(account);
  if (!usage || usage->limit_bytes == 0) co_return false;
  const std::uint64_t taken = usage->used_bytes + usage->reserved_bytes;
  std::uint64_t in_bin = 0;
  for (const BinItem& item : *items) in_bin += size_of(item);
  if (bytes > usage->limit_bytes || taken - std::min(taken, in_bin) > usage->limit_bytes - bytes) {
    co_return false;
  }
  std::uint64_t freed = 0;
  for (const BinItem& item : *items) {
    if (taken - std::min(taken, freed) <= usage->limit_bytes - bytes) break;
    const auto discarded = co_await discard(item);
    if (discarded) freed += size_of(item);
  }
  co_return freed > 0;
}

}  // namespace coffer::core
