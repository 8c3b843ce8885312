#include "backends/rclone/listing.h"

#include <cstddef>
#include <utility>

namespace coffer::rclone {
namespace {

/// Some 250,000 items. A hostile server's listing has no end.
constexpr std::size_t kLimitBytes = 24 * 1024 * 1024;

}  // namespace

Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder) {
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

}  // namespace coffer::rclone
