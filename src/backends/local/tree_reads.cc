#include "backends/local/tree_reads.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/file_systems.h"
#include "backends/local/local_store.h"
#include "backends/local/status.h"
#include "backends/local/tree_walk.h"
#include "base/text.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

/// Closing the last handle on a removed file frees its blocks, which takes long from here on.
constexpr std::uint64_t kLargeBytes = 32 * 1024 * 1024;

/// Reads one open file. The handle keeps the content alive after a replacement or a removal.
class LocalReader final : public storage::Reader {
 public:
  LocalReader(Volume& volume, Handle file, storage::Entry entry)
      : volume_(volume), file_(std::move(file)), entry_(std::move(entry)) {}

  ~LocalReader() override {
    if (entry_.size_bytes < kLargeBytes) return;
    volume_.store.close_behind(std::move(file_));
  }

  const storage::Entry& entry() const override { return entry_; }
  std::optional<int> descriptor() const override { return file_.get(); }

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    auto work = [this, offset, out] { return read_from(file_, offset, out); };
    co_return co_await volume_.pool.run(std::move(work));
  }

  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    const iovec target{out.data(), out.size()};
    const ssize_t count =
        ::preadv2(file_.get(), &target, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    if (count < 0) return std::nullopt;
    return static_cast<std::size_t>(count);
  }

 private:
  Volume& volume_;
  Handle file_;
  const storage::Entry entry_;
};

constexpr std::size_t kFoldersWorthHelp = 16;
constexpr unsigned kMostThreads = 4;

/// What one folder holds directly.
struct Found {
  int error = 0;
  storage::TreeSize size;
  std::vector<WalkedFolder> folders;
};

/// Adds a tree up, on several threads where it has many folders: each file costs a system call, and
/// the answer to a delete waits for this.
class Measuring {
 public:
  explicit Measuring(int top) : top_(top) {}

  Result<storage::TreeSize> run() {
    waiting_.emplace_back(top_);
    work(kFoldersWorthHelp);
    {
      std::vector<std::jthread> helpers;
      const unsigned cores = std::min(std::thread::hardware_concurrency(), kMostThreads);
      const unsigned threads = waiting_.empty() ? 1 : cores;
      for (unsigned i = 1; i < threads; ++i) {
        helpers.emplace_back([this] { work(SIZE_MAX); });
      }
      work(SIZE_MAX);
    }
    if (error_ != 0) return fail_with(error_);
    return size_;
  }

 private:
  /// Until nothing is left, or so many folders wait.
  void work(std::size_t enough) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return !waiting_.empty() || working_ == 0; });
      if (waiting_.empty() || waiting_.size() >= enough) return;
      WalkedFolder folder = std::move(waiting_.back());
      waiting_.pop_back();
      ++working_;
      lock.unlock();
      Found found = look_into(folder);
      lock.lock();
      --working_;
      add(std::move(found));
      changed_.notify_all();
    }
  }

  void add(Found found) {
    if (error_ == 0) error_ = found.error;
    size_.bytes += found.size.bytes;
    size_.files += found.size.files;
    size_.folders += found.size.folders;
    std::ranges::move(found.folders, std::back_inserter(waiting_));
    if (error_ != 0) waiting_.clear();
  }

  static Found look_into(WalkedFolder& folder) {
    Found found;
    const Opened opened = folder.open(O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!opened) {
      found.error = opened.error() == ENOENT ? 0 : opened.error();
      return found;
    }
    ++found.size.folders;
    FolderScan scan(opened->get());
    while (const FolderScan::Entry* item = scan.next()) {
      if (storage::is_hidden_name(item->name)) continue;
      found.error = count(folder, opened->get(), *item, found);
      if (found.error != 0) return found;
    }
    found.error = scan.error();
    return found;
  }

  static int count(WalkedFolder& folder, int opened, const FolderScan::Entry& item, Found& found) {
    bool is_a_folder = item.type == DT_DIR;
    if (item.type == DT_REG || item.type == DT_UNKNOWN) {
      const auto status = status_in(opened, item.name, kSizeMask);
      if (!status) return status.error() == ENOENT ? 0 : status.error();
      is_a_folder = is_folder(*status);
      if (is_file(*status)) {
        ++found.size.files;
        found.size.bytes += status->stx_size;
      }
    }
    if (is_a_folder) found.folders.push_back(folder.child(item.name, opened));
    return 0;
  }

  const int top_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<WalkedFolder> waiting_;
  int working_ = 0;
  int error_ = 0;
  storage::TreeSize size_;
};

/// What the item shows as, if anything: a link as what it points to.
std::optional<storage::Entry> shown_entry(const Lookup& lookup, const Path& folder, int handle,
                                          const FolderScan::Entry& item) {
  if (item.type != DT_LNK) {
    const auto status = status_in(handle, item.name, kEntryMask);
    if (!status) return std::nullopt;
    if (is_file(*status) || is_folder(*status)) return entry_of(*status, item.name);
    if (!is_link(*status)) return std::nullopt;
  }
  const auto path = Path::parse(item.name);
  if (!path) return std::nullopt;
  const auto found = lookup.find(folder / *path, kEntryMask);
  if (!found) return std::nullopt;
  storage::Entry entry = entry_of(found->second, item.name);
  entry.is_link = true;
  return entry;
}

bool may_show(unsigned char type) {
  return type == DT_REG || type == DT_DIR || type == DT_LNK || type == DT_UNKNOWN;
}

/// What vanishes while its folder is read is not left out of the listing.
bool is_there(int folder, const char* name) {
  const auto status = status_in(folder, name, STATX_TYPE);
  return status || status.error() != ENOENT;
}

bool is_nameable(std::string_view name) {
  return is_utf8(name) && !has_control_character(name);
}

}  // namespace

Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path) {
  TRY(const auto found, lookup.find(path, kEntryMask));
  return entry_of(found.second, std::string(path.name()));
}

std::optional<storage::Entry> stat_item_now(const Lookup& lookup, const Path& path) {
  const Opened opened = lookup.open_cached(path, O_PATH);
  if (!opened) return std::nullopt;
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status || (!is_file(*status) && !is_folder(*status))) return std::nullopt;
  return entry_of(*status, std::string(path.name()));
}

std::optional<storage::FolderStamp> stamp_of(const Lookup& lookup, const Path& folder) {
  const auto found = lookup.find(folder, STATX_TYPE | STATX_INO | STATX_CTIME);
  if (!found || !is_folder(found->second) || !keeps_times(found->first.get())) return std::nullopt;
  const Status& status = found->second;
  storage::FolderStamp stamp;
  stamp.device = ::makedev(status.stx_dev_major, status.stx_dev_minor);
  stamp.file_id = status.stx_ino;
  stamp.changed_at = timestamp_of(status.stx_ctime.tv_sec, status.stx_ctime.tv_nsec);
  return stamp;
}

Result<void> FolderReading::open() {
  TRY(handle_, lookup_.open_folder(folder_, O_RDONLY));
  if (lookup_.is_whole() && folder_.is_root()) hidden_ = lookup_.volume().hidden;
  scan_.emplace(handle_.get());
  return {};
}

void FolderReading::add(const FolderScan::Entry& item) {
  if (hidden_ == item.name) return;
  // Nothing may be the short name of a hidden item, so that it could not be opened.
  const bool is_candidate =
      may_show(item.type) && is_nameable(item.name) && !lookup_.hides_name(item.name);
  auto entry = is_candidate ? shown_entry(lookup_, folder_, handle_.get(), item) : std::nullopt;
  if (entry) {
    listing_.entries.push_back(*std::move(entry));
  } else if (!storage::is_hidden_name(item.name) && is_there(handle_.get(), item.name)) {
    ++listing_.left_out;
  }
}

Result<bool> FolderReading::read(std::size_t items, const storage::ListingBound& bound) {
  if (!scan_) {
    TRY_VOID(open());
  }
  const std::size_t before = listing_.entries.size();
  TRY(const bool is_end, read_some(items));
  std::size_t bytes = 0;
  for (const storage::Entry& entry : std::span(listing_.entries).subspan(before)) {
    bytes += memory_of(entry);
  }
  if (bound && !bound(bytes)) return storage::listing_too_large();
  return is_end;
}

Result<bool> FolderReading::read_some(std::size_t items) {
  for (; items > 0; --items) {
    const FolderScan::Entry* const item = scan_->next();
    if (!item && scan_->error() != 0) return fail_with(scan_->error());
    if (!item) return true;
    add(*item);
  }
  return false;
}

Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file) {
  // Without O_NONBLOCK, opening a FIFO would wait for its other end.
  Opened opened = lookup.open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!opened) return fail_with(opened.error());
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return fail_with(EISDIR);
  if (!is_file(*status)) return fail_with(ENOENT);
  return std::make_unique<LocalReader>(lookup.volume(), std::move(*opened),
                                       entry_of(*status, std::string(file.name())));
}

std::unique_ptr<storage::Reader> open_file_now(const Lookup& lookup, const Path& file) {
  Opened opened = lookup.open_cached(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!opened) return nullptr;
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status || !is_file(*status)) return nullptr;
  return std::make_unique<LocalReader>(lookup.volume(), std::move(*opened),
                                       entry_of(*status, std::string(file.name())));
}

Result<storage::TreeSize> measure_tree(int folder) {
  return Measuring(folder).run();
}

Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path) {
  TRY(const auto found, lookup.find(path, kSizeMask));
  const auto& [handle, status] = found;
  if (is_folder(status)) return measure_tree(handle.get());
  return storage::TreeSize{.bytes = status.stx_size, .files = 1};
}

Result<Path> canonical_path(const Lookup& lookup, const Path& path) {
  if (path.is_root()) return path;
  TRY(const auto root, lookup.open_folder(Path(), O_PATH));
  TRY(const auto place, lookup.place(path));
  TRY(const auto found, path_from(root.get(), place.folder.get(), place.name));
  return Path::parse(found);
}

}  // namespace coffer::local
