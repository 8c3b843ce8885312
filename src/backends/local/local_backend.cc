#include "backends/local/local_backend.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <mutex>

#include "backends/local/attributes.h"
#include "backends/local/copy_item.h"
#include "backends/local/errno_error.h"
#include "backends/local/file_systems.h"
#include "backends/local/folder_watches.h"
#include "backends/local/handle.h"
#include "backends/local/local_writer.h"
#include "backends/local/lookup.h"
#include "backends/local/publish.h"
#include "backends/local/status.h"
#include "backends/local/tree_changes.h"
#include "backends/local/tree_reads.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

/// What a listing looks at before it is long work, and in each turn from then on.
constexpr std::size_t kBriefListing = 2'000;
constexpr std::size_t kListingSlice = 10'000;

class LocalFolderParts final : public storage::FolderParts {
 public:
  LocalFolderParts(std::shared_ptr<Volume> volume, const Lookup& lookup, Path folder)
      : volume_(std::move(volume)), lookup_(lookup), folder_(std::move(folder)) {}

  Task<Result<std::optional<storage::FolderListing>>> next(std::size_t most) override {
    if (is_at_end_) co_return std::nullopt;
    reading_.listing() = {};
    auto read = [&] { return reading_.read(most, {}); };
    Pool& pool = is_begun_ ? volume_->lengthy_pool : volume_->pool;
    is_begun_ = true;
    CO_TRY(is_at_end_, co_await pool.run(std::move(read)));
    co_return std::optional(std::move(reading_.listing()));
  }

 private:
  const std::shared_ptr<Volume> volume_;
  const Lookup lookup_;
  const Path folder_;
  FolderReading reading_{lookup_, folder_};
  bool is_begun_ = false;
  bool is_at_end_ = false;
};

/// Reads the properties of items that are mostly of one folder, which is opened once for them.
class PropertyReading {
 public:
  explicit PropertyReading(const Lookup& lookup) : lookup_(lookup) {}

  std::string of(const Path& item) {
    if (item.is_root() || lookup_.is_hidden(item) || storage::is_hidden_name(item.name())) {
      return of_opened(item);
    }
    if (Path parent = item.parent(); !folder_ || parent != path_) {
      auto opened = lookup_.open_folder(parent, O_PATH);
      if (!opened) return {};
      folder_ = *std::move(opened);
      path_ = std::move(parent);
    }
    auto text = properties_in(folder_->get(), std::string(item.name()));
    return text ? *std::move(text) : of_opened(item);
  }

 private:
  std::string of_opened(const Path& item) const {
    const auto found = lookup_.find(item, STATX_TYPE);
    return found ? properties_of(found->first.get()) : std::string();
  }

  const Lookup& lookup_;
  Path path_;
  std::optional<Handle> folder_;  ///< At `path_`.
};

/// Makes changes possible.
Result<void> open_staging(Volume& volume) {
  const std::lock_guard lock(volume.opening);
  if (volume.staging.stands()) return {};
  if (volume.hidden.empty() && !volume.is_collected_in_data) {
    return fail(ErrorCode::forbidden, "Nothing can be changed here.");
  }
  TRY(auto staging, volume.is_collected_in_data ? volume.store.shared_staging()
                                                : volume.store.staging_in(volume.root.get()));
  volume.staging.set(std::move(staging));
  return {};
}

Result<void> choose_staging(Volume& volume, Collects collects) {
  if (collects == Collects::nowhere) return {};
  if (collects == Collects::in_data) {
    TRY(const Handle top, volume.store.staging_top());
    volume.is_collected_in_data = is_same_disk(volume.root.get(), top.get());
    if (volume.is_collected_in_data) {
      auto opened = open_staging(volume);
      // It is tried again with each change.
      const bool is_full = !opened && opened.error().code == ErrorCode::disk_full;
      return is_full ? Result<void>() : opened;
    }
  }
  volume.hidden = storage::kStagingFolder;
  TRY(volume.top, fd_path(volume.root.get()));
  volume.steps = volume.store.steps_on(volume.root.device);
  // Reading goes on where it fails.
  if (const auto opened = open_staging(volume); !opened) {
    spdlog::warn("{} can only be read: {}", volume.top, opened.error().message);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LocalBackend>> LocalBackend::open(const LocalOptions& options,
                                                         LocalStore& store) {
  return open(options, store, store.pool(), store.pool());
}

Result<std::unique_ptr<LocalBackend>> LocalBackend::open(const LocalOptions& options,
                                                         LocalStore& store, Pool& pool,
                                                         Pool& lengthy_pool) {
  Handle folder = open_top(options.root);
  if (!folder) return fail_with(errno);
  return open(std::move(folder), options, store, pool, lengthy_pool);
}

Result<std::unique_ptr<LocalBackend>> LocalBackend::open(Handle folder, const LocalOptions& options,
                                                         LocalStore& store, Pool& pool,
                                                         Pool& lengthy_pool) {
  TRY(auto root, root_of(std::move(folder)));
  std::shared_ptr<Volume> volume(
      new Volume{store, pool, lengthy_pool, std::move(root), options.durable});
  volume->keeps_inode_numbers = keeps_inode_numbers(volume->root.get());
  volume->may_have_short_names = may_have_short_names(volume->root.get());
  TRY_VOID(choose_staging(*volume, options.collects));
  const Lookup lookup(*volume);
  return std::unique_ptr<LocalBackend>(new LocalBackend(std::move(volume), lookup));
}

Task<Result<void>> LocalBackend::check_writable() {
  if (volume_->staging.stands()) co_return Result<void>();
  auto open = [this] { return open_staging(*volume_); };
  co_return co_await volume_->pool.run(std::move(open));
}

LocalBackend::LocalBackend(std::shared_ptr<Volume> volume, const Lookup& lookup)
    : volume_(std::move(volume)), lookup_(std::make_unique<Lookup>(lookup)) {}

LocalBackend::~LocalBackend() = default;

std::optional<bool> LocalBackend::stands_at(const std::filesystem::path& path, Wait wait) const {
  const std::uint64_t cached = wait == Wait::yes ? 0 : RESOLVE_CACHED;
  const Handle folder = open_whole(path, O_PATH, RESOLVE_NO_SYMLINKS | cached);
  if (!folder && wait == Wait::no) return std::nullopt;
  const auto status = status_of(folder.get(), STATX_INO | STATX_BTIME);
  if (!status) return false;
  const Root& root = volume_->root;
  return identity_of(*status) == root.identity && device_of(*status) == root.device;
}

std::unique_ptr<storage::Backend> LocalBackend::beneath(const Path& folder) {
  return std::unique_ptr<LocalBackend>(new LocalBackend(volume_, lookup_->beneath(folder)));
}

std::unique_ptr<storage::Reader> LocalBackend::open_now(const Path& file) {
  return open_file_now(*lookup_, file);
}

std::optional<storage::Entry> LocalBackend::stat_now(const Path& path) {
  return stat_item_now(*lookup_, path);
}

// The work refers to the arguments, which live in the coroutine or outlive its await.

Task<Result<storage::Entry>> LocalBackend::stat(const Path& path) {
  auto work = [&] { return stat_item(*lookup_, path); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<std::optional<storage::FolderStamp>> LocalBackend::stamp(const Path& folder) {
  auto work = [&] { return stamp_of(*lookup_, folder); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<std::unique_ptr<storage::FolderWatch>> LocalBackend::watch(const Path& folder,
                                                                storage::FolderListener listener) {
  auto work = [&] {
    return volume_->store.watches().watch(volume_, *lookup_, folder, std::move(listener));
  };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<storage::FolderListing>> LocalBackend::read_folder(const Path& folder,
                                                               storage::ListingBound bound) {
  FolderReading reading(*lookup_, folder);
  auto begin = [&] { return reading.read(kBriefListing, bound); };
  auto complete = co_await volume_->pool.run(std::move(begin));
  auto go_on = [&] { return reading.read(kListingSlice, bound); };
  while (complete && !*complete) complete = co_await volume_->lengthy_pool.run(go_on);
  if (!complete) co_return failure_of(std::move(complete));
  co_return std::move(reading.listing());
}

std::unique_ptr<storage::FolderParts> LocalBackend::read_in_parts(const Path& folder) {
  return std::make_unique<LocalFolderParts>(volume_, *lookup_, folder);
}

Task<Result<std::unique_ptr<storage::Reader>>> LocalBackend::open(const Path& file) {
  auto work = [&] { return open_file(*lookup_, file); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<std::unique_ptr<storage::Writer>>> LocalBackend::create(const Path& target,
                                                                    storage::WriteOptions options) {
  CO_TRY_VOID(co_await check_writable());
  co_return std::make_unique<LocalWriter>(*lookup_, target, options);
}

Task<Result<std::vector<storage::Published>>> LocalBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  CO_TRY_VOID(co_await check_writable());
  Publication publication(*lookup_, writers, growth_limit_bytes);
  Result<bool> shown = false;
  while (shown && !*shown) shown = co_await try_to_publish(publication, may_show);
  if (shown) co_return publication.keep();
  auto rollback = [&] { publication.rollback(); };
  co_await volume_->pool.run(std::move(rollback));
  co_return failure_of(std::move(shown));
}

Task<Result<bool>> LocalBackend::try_to_publish(Publication& publication,
                                                const storage::MayShow& may_show) {
  if (may_show) {
    auto complete = [&] { return publication.complete(); };
    CO_TRY_VOID(co_await volume_->pool.run(std::move(complete)));
    CO_TRY_VOID(co_await may_show());
  }
  Result<bool> shown;
  auto show = [&](Resume& resume) {
    publication.show([&shown, resume = std::move(resume)](Result<bool> result) mutable {
      shown = std::move(result);
      resume();
    });
  };
  co_await volume_->pool.start(std::move(show));
  co_return shown;
}

Task<Result<void>> LocalBackend::make_folder(const Path& folder) {
  CO_TRY_VOID(co_await check_writable());
  auto work = [&] { return make_folders(*lookup_, folder); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<void>> LocalBackend::set_times(const Path& folder, Timestamp /*created_at*/,
                                           Timestamp modified_at) {
  auto work = [&]() -> Result<void> {
    TRY(const Handle opened, lookup_->open_folder(folder, O_RDONLY));
    set_modified(opened.get(), timespec_of(modified_at));
    return {};
  };
  co_return co_await volume_->pool.run(std::move(work));
}

bool LocalBackend::keeps_properties() const {
  return true;
}

Task<std::vector<std::string>> LocalBackend::properties(std::vector<Path> items) {
  auto work = [&] {
    PropertyReading reading(*lookup_);
    std::vector<std::string> texts;
    texts.reserve(items.size());
    for (const Path& item : items) texts.push_back(reading.of(item));
    return texts;
  };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<void>> LocalBackend::set_properties(const Path& item, std::string text) {
  CO_TRY_VOID(co_await check_writable());
  auto work = [&]() -> Result<void> {
    TRY(const auto found, lookup_->find(item, STATX_TYPE));
    return give_properties(found.first.get(), text);
  };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<void>> LocalBackend::set_modified_at(const Path& item, Timestamp modified_at) {
  CO_TRY_VOID(co_await check_writable());
  auto work = [&]() -> Result<void> {
    TRY(const auto found, lookup_->find(item, STATX_TYPE));
    return give_modified(found.first.get(), timespec_of(modified_at));
  };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<void>> LocalBackend::rename(const Path& from, const Path& to,
                                        storage::MayShow may_show) {
  CO_TRY_VOID(co_await check_writable());
  auto look = [&] { return may_become_too_deep(*lookup_, from, to); };
  CO_TRY(const bool must_check, co_await volume_->pool.run(std::move(look)));
  if (must_check) {
    auto check = [&] { return check_height(*lookup_, from, to); };
    CO_TRY_VOID(co_await volume_->lengthy_pool.run(std::move(check)));
  }
  CO_TRY_VOID(co_await storage::ask(may_show));
  auto work = [&] { return rename_item(*lookup_, from, to); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<storage::TreeSize>> LocalBackend::copy(const Path& from, const Path& to,
                                                   const storage::CopyOptions& options) {
  CO_TRY_VOID(co_await check_writable());
  ItemCopy copy(*lookup_, from, to, options);
  auto collect = [&] { return copy.collect(); };
  auto ready = co_await volume_->lengthy_pool.run(std::move(collect));
  if (ready) ready = co_await may_show(options);
  if (!ready) co_return failure_of(std::move(ready));
  auto show = [&] { return copy.show(); };
  co_return co_await volume_->pool.run(std::move(show));
}

Task<Result<storage::Removed>> LocalBackend::remove(const Path& path) {
  // A file is deleted where it is, which makes room on a full disk.
  const auto writable = co_await check_writable();
  if (!writable && writable.error().code != ErrorCode::disk_full) co_return failure_of(writable);
  ItemRemoval removal(*lookup_, path);
  std::optional<Result<storage::Removed>> removed;
  // Soon after the caller's right to it was looked at, however much other long work waits.
  auto take = [&] {
    if (auto taken = removal.take_away(); !taken) {
      removed = failure_of(std::move(taken));
    } else if (!removal.is_folder()) {
      removed = removal.finish();
    }
  };
  co_await volume_->pool.run(std::move(take));
  if (removed) co_return *std::move(removed);
  auto finish = [&] { return removal.finish(); };
  co_return co_await volume_->lengthy_pool.run(std::move(finish));
}

Task<Result<storage::TreeSize>> LocalBackend::measure(const Path& path) {
  auto work = [&] { return measure_item(*lookup_, path); };
  co_return co_await volume_->lengthy_pool.run(std::move(work));
}

Task<std::optional<std::uint64_t>> LocalBackend::capacity() {
  auto work = [&] { return capacity_of(volume_->root.get()); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<Path>> LocalBackend::canonical(const Path& path) {
  auto work = [&] { return canonical_path(*lookup_, path); };
  co_return co_await volume_->pool.run(std::move(work));
}

}  // namespace coffer::local
