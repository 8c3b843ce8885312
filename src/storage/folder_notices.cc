#include "storage/folder_notices.h"

#include <algorithm>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::storage {

bool is_hidden(const Path& item) {
  return std::ranges::any_of(item.components(), &is_hidden_name);
}

class FolderNotices::Watch final : public FolderWatch {
 public:
  Watch(std::shared_ptr<FolderNotices> notices, std::size_t id)
      : notices_(std::move(notices)), id_(id) {}
  ~Watch() override {
    const std::lock_guard lock(notices_->mutex_);
    notices_->watched_.erase(id_);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  const std::shared_ptr<FolderNotices> notices_;
  const std::size_t id_;
};

std::unique_ptr<FolderWatch> FolderNotices::watch(Path folder, FolderListener listener) {
  const std::lock_guard lock(mutex_);
  watched_.emplace(++last_id_, Watched{std::move(folder), std::move(listener)});
  return std::make_unique<Watch>(shared_from_this(), last_id_);
}

void FolderNotices::tell(const Path& item) const {
  if (is_hidden(item)) return;
  const Path parent = item.parent();
  const std::lock_guard lock(mutex_);
  for (const auto& [id, one] : watched_) {
    if (one.folder != parent && !one.folder.is_within(item)) continue;
    one.listener(FolderNotice::changed);
  }
}

void FolderNotices::tell_made(const Path& folder) const {
  if (is_hidden(folder)) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, one] : watched_) {
    if (!folder.is_within(one.folder) && !one.folder.is_within(folder)) continue;
    one.listener(FolderNotice::changed);
  }
}

}  // namespace coffer::storage
