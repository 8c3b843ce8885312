#include "backends/rclone/listing.h"

#include <cstddef>
#include <utility>

#include "backends/rclone/metadata.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

/// Some 250,000 items. A hostile server's listing has no end.
constexpr std::size_t kLimitBytes = 24 * 1024 * 1024;

/// Asks nothing about the folder itself.
Task<Result<Listing>> list_directly(DriveRemote& remote, const Path& folder) {
  Listing listing;
  const std::string place = remote.place(folder);
  std::size_t bytes = 0;
  auto take = [&](DriveItem item) -> Result<void> {
    bytes += sizeof item + item.path.size();
    if (bytes > kLimitBytes) return fail(ErrorCode::refused, "The folder's listing is too long.");
    if (is_sane(item, place)) {
      listing.items.push_back(std::move(item));
    } else {
      listing.is_whole = false;
    }
    return {};
  };
  auto listed = co_await remote.list(folder, std::move(take));
  if (!listed) co_return failure_of(std::move(listed));
  co_return listing;
}

/// A listing that is empty, or not to be had, leaves open what the path is.
Task<Result<void>> check_folder(DriveRemote& remote, const Path& folder) {
  if (folder.is_root() && remote.place(folder).empty()) co_return Result<void>{};
  co_return co_await need_folder(remote, folder);
}

}  // namespace

Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder) {
  auto listing = co_await list_directly(remote, folder);
  const bool is_clear = listing ? !listing->items.empty()
                                : !remote::is_not_found(listing.error()) &&
                                      listing.error().code != ErrorCode::refused;
  if (is_clear) co_return listing;
  auto checked = co_await check_folder(remote, folder);
  if (!checked) co_return failure_of(std::move(checked));
  co_return listing;
}

Task<Result<std::vector<storage::Entry>>> list_folder(DriveRemote& remote, const Path& folder) {
  const auto listing = co_await list_items(remote, folder);
  if (!listing) co_return failure_of(listing);
  std::vector<storage::Entry> entries;
  entries.reserve(listing->items.size());
  for (const DriveItem& item : listing->items) {
    if (item.name() != storage::kFolderMarker) entries.push_back(entry_of(item_of(item)));
  }
  co_return entries;
}

Task<Result<Listing>> list_known(DriveRemote& remote, const Path& folder) {
  auto listing = co_await list_directly(remote, folder);
  if (!listing && remote::is_not_found(listing.error())) co_return Listing{};
  co_return listing;
}

}  // namespace coffer::rclone
