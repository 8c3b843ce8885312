#include "core/files/folder_parts.h"

#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {

FolderParts::FolderParts(ResolvedPath place, Path folder,
                         std::unique_ptr<storage::FolderParts> parts, std::vector<Mount> mounts)
    : place_(std::move(place)),
      folder_(std::move(folder)),
      parts_(std::move(parts)),
      mounts_(std::move(mounts)) {}

Task<Result<std::optional<std::vector<ListedItem>>>> FolderParts::next(std::size_t most) {
  CO_TRY(auto part, co_await parts_->next(most));
  if (!part) co_return std::nullopt;
  std::vector<ListedItem> items;
  for (Mount& mount : std::exchange(mounts_, {})) items.push_back(item_of(std::move(mount)));
  for (storage::Entry& entry : part->entries) {
    const bool is_hidden = storage::is_hidden_name(entry.name) ||
                           (place_.reserves_mount_names() && is_mount_name(entry.name));
    if (!is_hidden) items.push_back({std::move(entry), folder_, place_.read_only, std::nullopt});
  }
  co_return std::optional(std::move(items));
}

}  // namespace coffer::core
