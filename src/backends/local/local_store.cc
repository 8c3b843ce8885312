#include "backends/local/local_store.h"

#include <utility>

#include "backends/local/earlier_log.h"
#include "backends/local/folder_watches.h"
#include "backends/local/staging.h"

namespace coffer::local {

namespace fs = std::filesystem;

Result<std::unique_ptr<LocalStore>> LocalStore::open(StoreOptions options, Pool& pool) {
  const fs::path data = options.data;
  if (!data.empty()) {
    TRY_VOID(recover_earlier_log(data));
  }
  std::unique_ptr<LocalStore> store(new LocalStore(std::move(options), pool));
  if (!data.empty()) {
    // It stays open: accounts come and go.
    TRY(store->shared_staging_, store->staging(data / "staging", true));
  }
  return store;
}

LocalStore::LocalStore(StoreOptions options, Pool& pool)
    : options_(std::move(options)),
      pool_(pool),
      reclaimer_(std::make_unique<Reclaimer>()),
      watches_(std::make_unique<FolderWatches>(options_.kernel_notices)) {}

LocalStore::~LocalStore() = default;

void LocalStore::wait_reclaimed() {
  reclaimer_->wait();
}

// Opened without the mutex: a disk may not answer.
Result<std::shared_ptr<Staging>> LocalStore::staging(const fs::path& path, bool unnamed_files) {
  auto known = known_staging(path);
  if (known && known->stands_at(path)) return known;
  TRY(auto opened, Staging::open(path, unnamed_files, *reclaimer_));
  std::shared_ptr<Staging> staging = std::move(opened);
  if (!options_.data.empty()) staging->sweep();
  const std::lock_guard lock(mutex_);
  std::erase_if(stagings_, [](const auto& known) { return known.second.expired(); });
  stagings_.insert_or_assign(path, staging);
  return staging;
}

std::shared_ptr<std::shared_mutex> LocalStore::steps_on(
    std::pair<std::uint32_t, std::uint32_t> device) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<std::shared_mutex>& known = steps_[device];
  auto steps = known.lock();
  if (!steps) known = steps = std::make_shared<std::shared_mutex>();
  return steps;
}

std::shared_ptr<Staging> LocalStore::known_staging(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const auto found = stagings_.find(path);
  return found == stagings_.end() ? nullptr : found->second.lock();
}

}  // namespace coffer::local
