#include "core/bin/bin_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "catalog/row_limits.h"
#include "core/namespace/name_rules.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::BinItem;

std::unexpected<Error> no_such_item() {
  return fail(ErrorCode::not_found, "There is no such item in the bin.");
}

Result<void> may_take(const ResolvedPath& place) {
  if (place.is_top) return fail(ErrorCode::forbidden, "The root itself cannot be deleted.");
  TRY_VOID(check_may_leave(place));
  if (has_bin(place)) return {};
  return fail(ErrorCode::invalid,
              "There is no bin here, so deleting is for good: say \"permanent\": true if that is "
              "what you want.");
}

std::unexpected<Error> bin_is_link() {
  return fail(ErrorCode::forbidden, "The folder of the bin, .coffer-bin, is a link there.");
}

Task<Result<void>> make_bin(const ResolvedPath& bin) {
  const auto entry = co_await bin.backend->stat(bin.path);
  if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  if (entry) {
    // A link would make another, visible folder the bin.
    CO_TRY(const auto canonical,
           co_await bin.backend->canonical(bin.path / Path::parse("x").value()));
    if (canonical.parent() == bin.path) co_return Result<void>{};
    co_return bin_is_link();
  }
  auto made = co_await bin.backend->make_folder(bin.path);
  if (made || made.error().code != ErrorCode::exists) co_return made;
  // Another caller has made it, or a link is there that the backend does not follow.
  const auto there = co_await bin.backend->stat(bin.path);
  if (there) co_return Result<void>{};
  if (there.error().code == ErrorCode::not_found) co_return bin_is_link();
  co_return failure_of(there);
}

}  // namespace

/// The item that goes into the bin.
struct BinService::Taking {
  ResolvedPath from;
  storage::Entry entry;
};

bool has_bin(const ResolvedPath& place) {
  return !place.read_only && place.backend->renames_in_one_step();
}

Path origin_of(const BinItem& item) {
  const Path path = Path::parse(item.path).value();
  return item.place.empty() ? path : Path::parse(item.place).value() / path;
}

/// A limited key does not reach the bin at the top of the place, so the item is resolved again
/// without the scope. What is deleted in an item that another account shares goes into the bin of
/// that account. Links are followed first, within the scope or item, and once.
Task<Result<BinService::Taking>> BinService::plan(const Principal& principal, const Path& path) {
  CO_TRY(auto place, co_await namespace_.resolve(principal, path, Access::write));
  CO_TRY_VOID(may_take(place));
  CO_TRY(auto entry, co_await place.backend->stat(place.path));
  CO_TRY_VOID(co_await follow_links(place));
  if (place.owner_files) co_return Taking{in_owner_tree(place), std::move(entry)};
  if (!principal.scope) co_return Taking{std::move(place), std::move(entry)};
  CO_TRY(const auto canonical, co_await place.backend->canonical(place.path));
  Principal whole = principal;
  whole.scope = nullptr;
  const Path from = place.base / canonical;
  CO_TRY(auto found, co_await namespace_.resolve(whole, from, Access::write));
  co_return Taking{std::move(found), std::move(entry)};
}

Task<Result<void>> BinService::move_into_bin(const Principal& principal, const ResolvedPath& from,
                                             const ResolvedPath& to, bool is_folder) {
  ResolvedPath bin = to;
  bin.path = to.path.parent();
  CO_TRY_VOID(co_await make_bin(bin));
  CO_TRY(const auto leaving, co_await move_copy_.claim_source(principal.account->id, from));
  CO_TRY(auto change, co_await folder_changes_.begin(principal.account->id, from, nullptr));
  const storage::MayShow may_take_it = [&]() -> Task<Result<void>> {
    std::vector<MountUse> uses = {MountUse{from.mount, true}};
    std::vector<PlaceChange> changes = {leave_of(from)};
    return access_recheck_.of_change(principal, std::move(uses), std::move(changes));
  };
  auto moved = co_await from.backend->rename(from.path, to.path, may_take_it);
  co_await change.end(moved, is_folder);
  co_return moved;
}

/// Refuses rather than deletes the oldest: nobody loses a file because others were deleted.
/// Counting takes time, so it is done once in a hundred items.
Task<Result<void>> BinService::count_in(AccountId account) {
  constexpr std::size_t kBetweenCounts = 100;
  {
    const std::lock_guard lock(mutex_);
    const auto left = room_.find(account);
    if (left != room_.end()) {
      if (--left->second == 0) room_.erase(left);
      co_return Result<void>{};
    }
  }
  CO_TRY(const auto count, co_await catalog_.bin().count(account, catalog::kMostBinItems));
  if (count == catalog::kMostBinItems) {
    co_return fail(ErrorCode::rate_limited,
                   "The bin has 200,000 items: empty it, or delete for good.");
  }
  const std::size_t room = std::min(kBetweenCounts, catalog::kMostBinItems - count) - 1;
  const std::lock_guard lock(mutex_);
  if (room > 0) room_[account] = room;
  co_return Result<void>{};
}

Task<Result<void>> BinService::take(const Principal& principal, const Path& path) {
  CO_TRY(const auto taking, co_await plan(principal, path));
  const ResolvedPath& from = taking.from;
  const AccountId account = from.tree_account(principal.account->id);
  CO_TRY_VOID(co_await count_in(account));
  BinItem item;
  item.id.value = random_hex(16);
  item.account = account;
  if (from.mount && !from.owner_files) {
    item.place = from.mount->prefix;
    item.leads_to = from.mount->leads_to.value_or("");
  }
  item.path = from.path.str();
  item.is_folder = taking.entry.is_directory;
  item.deleted_at = now();
  ResolvedPath to = from;
  to.path = bin_path_of(item);
  const BinKeeper::Guard guard(keeper_, item.id);
  // Prevents a recount while the item is in neither place.
  Reservation reservation(quota_, from.quota_account);
  CO_TRY_VOID(co_await reservation.hold());
  CO_TRY_VOID(co_await catalog_.bin().add(item));
  auto moved = co_await move_into_bin(principal, from, to, item.is_folder);
  // A failed rename on a server or a failing disk may have taken effect.
  auto settled = co_await keeper_.reconcile(item);
  if (!settled)
    spdlog::warn("the state of an item of the bin is not known: {}", settled.error().message);
  auto given = co_await reservation.commit(0);
  if (!moved) co_return moved;
  co_return given;
}

Task<Result<bool>> BinService::is_for(const Principal& principal, const Path& path) {
  CO_TRY(const auto place, co_await namespace_.resolve(principal, path, Access::write));
  co_return has_bin(place);
}

/// A server that was lost during a deletion may be back.
void BinService::spawn_reconcile(AccountId account) {
  auto look = reconciling_.enter_now(account);
  if (look) quota_.background.spawn(in_slot(*std::move(look), keeper_.reconcile_open(account)));
}

Task<Result<BinService::Listing>> BinService::list(const Principal& principal,
                                                   std::optional<catalog::Bin::Position> after,
                                                   std::size_t most) {
  if (!after) spawn_reconcile(principal.account->id);
  CO_TRY(auto items,
         co_await catalog_.bin().list(principal.account->id, std::move(after), most + 1));
  CO_TRY(const auto mounts, co_await mounts_.of(principal.account->id));
  Listing listing;
  if (items.size() > most) {
    items.resize(most);
    listing.next = catalog::Bin::Position{items.back().deleted_at, items.back().id.value};
  }
  const auto is_out_of_reach = [&](const BinItem& item) {
    if (item.place.empty()) return false;
    const auto mount = std::ranges::find(mounts, item.place, &Mount::prefix);
    return mount == mounts.end() || !lies_in(item, *mount);
  };
  std::erase_if(items, is_out_of_reach);
  listing.items = std::move(items);
  co_return listing;
}

/// True if the principal may write to the item's place; `not_found` if it cannot reach that.
Task<Result<bool>> BinService::may_write(const Principal& principal, const BinItem& item) {
  if (principal.read_only) co_return false;
  if (item.place.empty()) co_return true;
  const auto mount = co_await mounts_.find(principal.account->id, item.place);
  if (!mount && mount.error().code == ErrorCode::not_found) co_return no_such_item();
  if (!mount) co_return failure_of(mount);
  if (!lies_in(item, *mount)) co_return no_such_item();
  co_return !mount->read_only;
}

Task<Result<BinItem>> BinService::find(const Principal& principal, BinItemId id) {
  CO_TRY(auto item, co_await catalog_.bin().find(principal.account->id, std::move(id)));
  CO_TRY(const auto may, co_await may_write(principal, item));
  if (may) co_return item;
  CO_TRY_VOID(check_may_write(principal));
  co_return fail(ErrorCode::forbidden, "This location is read-only.");
}

Task<Result<void>> BinService::discard(const Principal& principal, BinItemId id) {
  CO_TRY(auto item, co_await find(principal, std::move(id)));
  co_return co_await keeper_.discard(std::move(item));
}

Task<Result<void>> BinService::discard_all(const Principal& principal) {
  constexpr std::size_t kAtOnce = 200;
  CO_TRY_VOID(check_may_write(principal));
  Result<void> all;
  std::optional<catalog::Bin::Position> after;
  do {
    CO_TRY(auto listing, co_await list(principal, std::move(after), kAtOnce));
    for (const BinItem& item : listing.items) {
      if (is_ending_) co_return fail(ErrorCode::overloaded, "This server is ending.");
      CO_TRY_VOID(co_await access_recheck_.of(principal, {}));
      const auto may = co_await may_write(principal, item);
      if (!may || !*may) continue;
      auto discarded = co_await keeper_.discard(item);
      const bool is_failure = !discarded && discarded.error().code != ErrorCode::not_found;
      if (is_failure && all) all = std::move(discarded);
    }
    after = std::move(listing.next);
  } while (after);
  co_return all;
}

Task<Result<BinService::Leaving>> BinService::begin_restoring(const Principal& principal,
                                                              BinItemId id) {
  CO_TRY(auto item, co_await find(principal, std::move(id)));
  auto hold = std::make_unique<BinKeeper::Guard>(keeper_, item.id);
  CO_TRY(const auto claimed,
         co_await catalog_.bin().claim(principal.account->id, item.id, catalog::BinState::open));
  if (!claimed) co_return no_such_item();
  Leaving leaving;
  leaving.item = std::move(item);
  leaving.hold = std::move(hold);
  co_return leaving;
}

Task<Result<void>> BinService::end_restoring(Leaving leaving) {
  auto settled = co_await keeper_.reconcile(leaving.item);
  if (settled) co_return settled;
  spdlog::warn("the state of an item of the bin is not known: {}", settled.error().message);
  // It may still exist; a later access finds out.
  const auto released =
      co_await catalog_.bin().release(leaving.item.account.value(), leaving.item.id);
  if (!released)
    spdlog::warn("an item of the bin is not listed again: {}", released.error().message);
  co_return settled;
}

}  // namespace coffer::core
