#include "core/files/parked_recovery.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/log.h"
#include "core/files/listing.h"
#include "core/files/parking.h"
#include "core/namespace/principal.h"
#include "core/transfer/transfer_check.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::ParkedItem;

/// An item that is restored from a bin lies in there.
Access access_to(const Path& path) {
  const Path folder = path.parent();
  for (const std::string_view part : folder.components()) {
    if (part == storage::kBinFolder) return Access::in_bin;
  }
  return Access::add;
}

/// One item. Used once.
class Recovery {
 public:
  Recovery(const ParkedRecovery& services, const Principal& principal, const ParkedItem& row)
      : services_(services),
        principal_(principal),
        namespace_(services.homes, services.mounts),
        row_(row) {}

  /// Success if nothing is left to do.
  Task<Result<void>> run();

 private:
  Task<Result<bool>> has(const ResolvedPath& place);
  Task<Result<std::optional<ResolvedPath>>> find_copy();
  Task<Result<bool>> finish();
  Task<Result<bool>> is_whole(const ResolvedPath& copy);
  Task<Result<void>> give_back();
  void warn(const std::string& why) const {
    spdlog::warn("\"{}\" of account {} stays as \"{}\" after a move that was cut off: {}",
                 row_.path, principal_.account->name, row_.parked_name, why);
  }

  const ParkedRecovery& services_;
  const Principal& principal_;
  const Namespace namespace_;
  const ParkedItem& row_;
  ResolvedPath item_;
  ResolvedPath parked_;
};

Task<Result<void>> Recovery::run() {
  CO_TRY(const auto path, Path::parse(row_.path));
  CO_TRY(const auto name, Name::parse(row_.parked_name));
  auto item = co_await namespace_.resolve(principal_, path, access_to(path));
  const bool is_missing = !item && item.error().code == ErrorCode::not_found;
  // The mount was removed. The folder of own files may be back later.
  if (is_missing && is_mount_name(path.front())) co_return Result<void>{};
  if (!item) co_return failure_of(std::move(item));
  item_ = *std::move(item);
  parked_ = sibling_of(item_, name);
  if (led_to(item_) != row_.leads_to) {
    warn("its location leads to another place now");
    co_return Result<void>{};
  }
  CO_TRY(const bool is_parked, co_await has(parked_));
  if (!is_parked) {
    // It was parked before its deletion began: what has its name now is another one, or was put
    // back.
    if (row_.is_leaving) co_return Result<void>{};
    CO_TRY(const bool stands, co_await has(item_));
    if (!stands) co_return co_await check_mounted(*item_.backend);
  }
  CO_TRY(const auto copy, co_await find_copy());
  if (!copy) co_return is_parked ? co_await give_back() : Result<void>{};
  if (!is_parked) {
    CO_TRY_VOID(co_await services_.move_copy.rename_back(principal_, item_, parked_));
  }
  const auto whole = co_await is_whole(*copy);
  if (whole && *whole) co_return co_await services_.files.remove(principal_, parked_);
  auto back = co_await give_back();
  if (!whole) co_return failure_of(whole);
  co_return back;
}

Task<Result<bool>> Recovery::has(const ResolvedPath& place) {
  const auto entry = co_await place.backend->stat(place.path);
  if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  co_return entry.has_value();
}

/// The place of the copy, if something is there that may be it.
Task<Result<std::optional<ResolvedPath>>> Recovery::find_copy() {
  const std::optional<ResolvedPath> none;
  if (row_.copy_path.empty()) co_return none;
  // Names and sizes may have reached the disk before the content did.
  if (!services_.is_durable && row_.boot != boot_id()) co_return none;
  CO_TRY(const auto path, Path::parse(row_.copy_path));
  auto copy = co_await namespace_.resolve(principal_, path);
  if (!copy && copy.error().code == ErrorCode::not_found) co_return none;
  if (!copy) co_return failure_of(std::move(copy));
  if (led_to(*copy) != row_.copy_leads_to) co_return none;
  CO_TRY(const bool stands, co_await has(*copy));
  if (!stands) co_return none;
  co_return *std::move(copy);
}

Task<Result<bool>> Recovery::is_whole(const ResolvedPath& copy) {
  const auto copied = CopiedSource::parse(row_.copied);
  if (!copied) co_return false;
  TransferProgress progress;
  const TransferEnd source{*parked_.backend, parked_.path};
  const TransferEnd target{*copy.backend, copy.path};
  co_return co_await is_copied(source, target, *copied, row_.is_leaving, progress);
}

Task<Result<void>> Recovery::give_back() {
  auto back = co_await services_.move_copy.rename_back(principal_, parked_, item_);
  if (back || back.error().code != ErrorCode::exists) co_return back;
  warn("its name was taken meanwhile");
  co_return Result<void>{};
}

}  // namespace

Task<void> recover_parked(ParkedRecovery recovery) {
  const auto rows = co_await recovery.catalog.parked_items().all();
  if (!rows || rows->empty()) co_return;
  const auto accounts = co_await recovery.catalog.accounts().list();
  if (!accounts) co_return;
  for (const ParkedItem& listed : *rows) {
    const auto owner = std::ranges::find(*accounts, listed.account, &catalog::Account::id);
    auto note = recovery.move_copy.parking().take(listed.id);
    if (owner == accounts->end() || !note) continue;
    // A move may have ended since the rows were read.
    const auto now = co_await recovery.catalog.parked_items().find(listed.id);
    if (!now || !*now) continue;
    const ParkedItem& row = **now;
    Principal principal;
    principal.account = std::make_shared<const catalog::Account>(*owner);
    Recovery one(recovery, principal, row);
    const auto ended = co_await one.run();
    if (ended) co_await note->end();
    if (ended) continue;
    spdlog::warn("a move of \"{}\" that was cut off is not ended now: {}", row.path,
                 ended.error().message);
  }
}

}  // namespace coffer::core
