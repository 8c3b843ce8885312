#include "backends/rclone/fetched_opening.h"

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "backends/rclone/drive_item.h"
#include "backends/rclone/fetched_files.h"
#include "backends/rclone/fetched_reader.h"
#include "backends/rclone/name_filter.h"

namespace coffer::rclone {
namespace {

/// By their names.
using ItemsByName = std::unordered_map<std::string_view, const DriveItem*>;

ItemsByName by_name(const std::vector<DriveItem>& items) {
  ItemsByName found;
  for (const DriveItem& item : items) found.emplace(item.name(), &item);
  return found;
}

bool is_file_of(const ItemsByName& items, const storage::Entry& file) {
  const auto found = items.find(file.name);
  if (found == items.end()) return false;
  const DriveItem& item = *found->second;
  return !item.is_folder && item.size_bytes == file.size_bytes &&
         item.modified_at == file.modified_at;
}

}  // namespace

Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch) {
  std::vector<std::unique_ptr<storage::Reader>> readers(files.size());
  const auto fetched = co_await FetchedFiles::fetch(remote, folder, files, watch);
  if (!fetched) co_return readers;
  std::vector<DriveItem> now;
  auto take = [&now](DriveItem item) -> Result<void> {
    now.push_back(std::move(item));
    return {};
  };
  const auto listed = co_await remote->list_some(folder, only_named(files), std::move(take));
  if (!listed) co_return readers;
  const ItemsByName before = by_name((*fetched)->items());
  const ItemsByName after = by_name(now);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!is_file_of(before, files[i]) || !is_file_of(after, files[i])) continue;
    readers[i] = std::make_unique<FetchedReader>(*fetched, files[i]);
  }
  co_return readers;
}

}  // namespace coffer::rclone
