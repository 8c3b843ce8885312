#include "backends/local/local_backend.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/vfs.h>

#include <cerrno>
#include <system_error>

#include "backends/local/errno_error.h"
#include "backends/local/fd_path.h"
#include "backends/local/local_reader.h"
#include "backends/local/local_tree.h"
#include "backends/local/local_writer.h"
#include "backends/local/log_recovery.h"
#include "backends/local/lookup.h"
#include "backends/local/open_beneath.h"
#include "backends/local/publish.h"

namespace coffer::local {
namespace {

/// The staging folder's name, if it stands directly in the root; empty if outside the root.
Result<std::string> hidden_name(const LocalOptions& options) {
  std::error_code error;
  const auto root = std::filesystem::weakly_canonical(options.root, error);
  if (error) return fail_with(error.value());
  const auto staging = std::filesystem::weakly_canonical(options.staging, error);
  if (error) return fail_with(error.value());
  const auto inside = staging.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") return std::string();
  if (inside != "." && std::next(inside.begin()) == inside.end()) return inside.string();
  return fail(ErrorCode::invalid,
              "The staging folder must be outside its root or stand directly in it.");
}

Result<void> check_same_disk(const Volume& volume) {
  const auto root = status_of(volume.root.get(), STATX_INO);
  const auto staging = status_of(volume.staging->folder(), STATX_INO);
  if (!root) return fail_with(root.error());
  if (!staging) return fail_with(staging.error());
  const bool same = root->stx_dev_major == staging->stx_dev_major &&
                    root->stx_dev_minor == staging->stx_dev_minor;
  if (same) return {};
  return fail(ErrorCode::invalid, "The staging folder must be on the file system of its root.");
}

/// A log needs to know the machine's run and where files are, and a disk of this machine, on which
/// a file is what it was after a crash.
bool can_log(const Volume& volume, const std::string& boot) {
  struct statfs disk{};
  if (boot.empty() || !fd_path(volume.root.get())) return false;
  if (::fstatfs(volume.root.get(), &disk) != 0) return false;
  return disk.f_type == EXT4_SUPER_MAGIC || disk.f_type == XFS_SUPER_MAGIC ||
         disk.f_type == BTRFS_SUPER_MAGIC;
}

/// Sees to what processes left that are gone, and begins to log.
Result<void> begin(Volume& volume, const LocalOptions& options) {
  if (auto same = check_same_disk(volume); !same) return same;
  const std::string boot = options.boot.empty() ? this_boot() : options.boot;
  const auto left = volume.staging->abandoned();
  auto recovered = recover_logs(volume.root.get(), *volume.staging, left.folders, boot);
  if (!recovered) return recovered;
  volume.staging->sweep(left);
  if (options.durable && options.content_log && can_log(volume, boot)) {
    volume.log = std::make_unique<ContentLog>(volume.staging->folder(), volume.steps, volume.pool,
                                              ContentLog::Options{boot, options.checkpoint_after});
  }
  return {};
}

std::optional<std::uint64_t> capacity_of(int folder) {
  struct statfs disk{};
  if (::fstatfs(folder, &disk) != 0 || disk.f_blocks == 0) return std::nullopt;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(disk.f_blocks, disk.f_frsize, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::unique_ptr<LocalBackend>> LocalBackend::open(const LocalOptions& options, Pool& pool) {
  Handle root(::open(options.root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) return fail_with(errno);
  std::shared_ptr<Volume> volume(
      new Volume{pool, std::move(root), options.durable, {}, {}, {}, {}, {}});
  const Lookup lookup(*volume);
  if (!options.staging.empty()) {
    auto hidden = hidden_name(options);
    if (!hidden) return failure_of(hidden);
    volume->hidden = *std::move(hidden);
    auto staging = Staging::open(options.staging, options.unnamed_files);
    if (!staging) return failure_of(staging);
    volume->staging = *std::move(staging);
    if (auto begun = begin(*volume, options); !begun) return failure_of(begun);
  }
  return std::unique_ptr<LocalBackend>(new LocalBackend(std::move(volume), lookup));
}

Result<void> LocalBackend::check_writable() const {
  if (volume_->staging) return {};
  return fail(ErrorCode::forbidden, "Nothing can be changed here.");
}

LocalBackend::LocalBackend(std::shared_ptr<Volume> volume, const Lookup& lookup)
    : volume_(std::move(volume)), lookup_(std::make_unique<Lookup>(lookup)) {}

LocalBackend::~LocalBackend() = default;

void LocalBackend::wait_reclaimed() {
  if (volume_->staging) volume_->staging->wait_reclaimed();
}

std::unique_ptr<storage::Backend> LocalBackend::beneath(const Path& folder) {
  return std::unique_ptr<LocalBackend>(new LocalBackend(volume_, lookup_->beneath(folder)));
}

std::unique_ptr<storage::Reader> LocalBackend::open_now(const Path& file) {
  Opened opened = lookup_->open_cached(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!opened) return nullptr;
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status || !is_file(*status)) return nullptr;
  return std::make_unique<LocalReader>(*volume_, std::move(*opened),
                                       entry_of(*status, std::string(file.name())));
}

std::optional<storage::Entry> LocalBackend::stat_now(const Path& path) {
  const Opened opened = lookup_->open_cached(path, O_PATH);
  if (!opened) return std::nullopt;
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status || (!is_file(*status) && !is_folder(*status))) return std::nullopt;
  return entry_of(*status, std::string(path.name()));
}

// The work refers to the arguments, which live in the coroutine or outlive its await.

Task<Result<storage::Entry>> LocalBackend::stat(const Path& path) {
  auto work = [&] { return stat_item(*lookup_, path); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<std::vector<storage::Entry>>> LocalBackend::list(const Path& folder) {
  auto work = [&] { return list_folder(*lookup_, folder); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<bool>> LocalBackend::lists_all(const Path& folder) {
  auto work = [&] { return lists_all_of(*lookup_, folder); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<std::unique_ptr<storage::Reader>>> LocalBackend::open(const Path& file) {
  auto work = [&] { return open_file(*lookup_, file); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<std::unique_ptr<storage::Writer>>> LocalBackend::create(const Path& target,
                                                                    storage::WriteOptions options) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  co_return std::make_unique<LocalWriter>(*lookup_, target, options);
}

Task<Result<std::vector<storage::Published>>> LocalBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  Publication publication(*lookup_, writers, growth_limit_bytes);
  Result<void> outcome;
  auto publish = [&](Resume& resume) {
    publication.publish([&outcome, resume = std::move(resume)](Result<void> result) mutable {
      outcome = std::move(result);
      resume();
    });
  };
  co_await volume_->pool.start(std::move(publish));
  if (outcome) co_return publication.keep();
  auto rollback = [&] { publication.rollback(); };
  co_await volume_->pool.run(std::move(rollback));
  co_return failure_of(std::move(outcome));
}

Task<Result<void>> LocalBackend::make_folder(const Path& folder) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  auto work = [&] { return make_folders(*lookup_, folder); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<void>> LocalBackend::rename(const Path& from, const Path& to) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  auto work = [&] { return rename_item(*lookup_, from, to); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<storage::TreeSize>> LocalBackend::copy(const Path& from, const Path& to,
                                                   const storage::CopyOptions& options) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  auto work = [&] { return copy_item(*lookup_, from, to, options); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<storage::TreeSize>> LocalBackend::remove(const Path& path) {
  if (auto writable = check_writable(); !writable) co_return failure_of(writable);
  auto work = [&] { return remove_item(*lookup_, path); };
  co_return co_await volume_->pool.run(std::move(work));
}

Task<Result<storage::TreeSize>> LocalBackend::measure(const Path& path) {
  auto work = [&] { return measure_item(*lookup_, path); };
  co_return co_await volume_->pool.run(std::move(work));
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
