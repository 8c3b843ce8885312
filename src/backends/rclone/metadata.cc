#include "backends/rclone/metadata.h"

#include <boost/json.hpp>
#include <cstdint>
#include <utility>

#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/engine/rfc3339.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

/// Some 250,000 items. A hostile server's listing has no end.
constexpr std::size_t kLimitBytes = 24 * 1024 * 1024;

DriveItem item_from(const json::object& object) {
  DriveItem item{.path = std::string(text_in(object, "Path"))};
  item.is_folder = is_true(object, "IsDir");
  const json::value* size = object.if_contains("Size");
  if (size != nullptr && size->is_int64() && size->get_int64() >= 0) {
    item.size_bytes = static_cast<std::uint64_t>(size->get_int64());
  }
  item.modified_at = parse_rfc3339(text_in(object, "ModTime")).value_or(Timestamp());
  return item;
}

/// Asks operations/stat for files or folders alone: for a folder it lists the items beside it.
Task<Result<std::optional<DriveItem>>> stat_as(DriveRemote& remote, const Path& path,
                                               std::string_view only) {
  json::object how{{"noMimeType", true}, {only, true}};
  json::object parameters{
      {"fs", remote.fs()}, {"remote", remote.place(path)}, {"opt", std::move(how)}};
  const auto answer = co_await remote.call("operations/stat", std::move(parameters));
  if (!answer && remote::is_not_found(answer.error())) co_return std::nullopt;
  if (!answer) co_return failure_of(answer);
  const json::value* item = answer->if_contains("item");
  if (item == nullptr || !item->is_object()) co_return std::nullopt;
  co_return item_from(item->get_object());
}

enum class ProbeResult : std::uint8_t { nothing, folder, maybe_folder };

/// Most names that are asked for are new, and a listing of nothing costs less than one of all that
/// is beside it. Where a provider knows only files, what does not exist is listed as empty.
Task<Result<ProbeResult>> probe_folder(DriveRemote& remote, const Path& path) {
  // Another client may have removed it.
  if (remote.knows_folder(path)) co_return ProbeResult::maybe_folder;
  bool has_items = false;
  auto look_at_one = [&](const DriveItem& /*item*/) -> Result<void> {
    has_items = true;
    return remote::fail_missing();
  };
  auto listed = co_await remote.list(path, std::move(look_at_one));
  if (has_items) co_return ProbeResult::folder;
  if (listed) co_return ProbeResult::maybe_folder;
  if (remote::is_not_found(listed.error())) co_return ProbeResult::nothing;
  co_return failure_of(std::move(listed));
}

Task<Result<DriveItem>> look_at(DriveRemote& remote, const Path& path, Wanted wanted) {
  CO_TRY(auto file, co_await stat_as(remote, path, "filesOnly"));
  if (file) co_return *std::move(file);
  CO_TRY(const auto seen, co_await probe_folder(remote, path));
  if (seen == ProbeResult::nothing) co_return remote::fail_missing();
  if (seen == ProbeResult::folder && wanted == Wanted::kind) {
    remote.note_folder(path);
    co_return DriveItem{.path = remote.place(path), .is_folder = true};
  }
  CO_TRY(auto folder, co_await stat_as(remote, path, "dirsOnly"));
  if (!folder) co_return remote::fail_missing();
  remote.note_folder(path);
  co_return *std::move(folder);
}

/// Some servers have no word for what is below a file: then what is above tells.
Task<bool> is_below_file(DriveRemote& remote, Path path) {
  while (!path.parent().is_root()) {
    path = path.parent();
    const auto above = co_await look_at(remote, path, Wanted::kind);
    if (above) co_return !above->is_folder;
    if (remote::is_not_found(above.error())) co_return true;
    if (above.error().code != ErrorCode::refused) co_return false;
  }
  co_return false;
}

}  // namespace

Task<Result<DriveItem>> metadata_of(DriveRemote& remote, const Path& path, Wanted wanted) {
  const std::string place = remote.place(path);
  if (place == remote.place({})) co_return DriveItem{.path = place, .is_folder = true};
  auto item = co_await look_at(remote, path, wanted);
  if (item || item.error().code != ErrorCode::refused) co_return item;
  const bool is_missing = co_await is_below_file(remote, path);
  if (is_missing) co_return remote::fail_missing();
  co_return item;
}

Task<Result<std::optional<DriveItem>>> find(DriveRemote& remote, const Path& path, Wanted wanted) {
  auto item = co_await metadata_of(remote, path, wanted);
  if (item) co_return *std::move(item);
  if (remote::is_not_found(item.error())) co_return std::nullopt;
  co_return failure_of(std::move(item));
}

Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder,
                                 const storage::ListingBound& bound) {
  Listing listing;
  const std::string place = remote.place(folder);
  std::size_t bytes = 0;
  auto take = [&](DriveItem item) -> Result<void> {
    const std::size_t more = sizeof item + item.path.size();
    if (bound && !bound(more)) return storage::listing_too_large();
    bytes += more;
    if (bytes > kLimitBytes) return fail(ErrorCode::refused, "The folder's listing is too long.");
    if (is_sane(item, place)) {
      listing.items.push_back(std::move(item));
    } else {
      ++listing.left_out;
    }
    return {};
  };
  CO_TRY_VOID(co_await remote.list(folder, std::move(take)));
  co_return listing;
}

}  // namespace coffer::rclone
