#include "backends/local/measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/open_beneath.h"
#include "backends/local/status.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

constexpr std::size_t kFoldersWorthHelp = 16;
constexpr unsigned kMostThreads = 4;

/// What one folder holds directly.
struct Found {
  int error = 0;
  storage::TreeSize size;
  std::vector<std::string> folders;
};

/// Adds a tree up, on several threads where it has many folders: each file costs a system call, and
/// the answer to a delete waits for this.
class Measuring {
 public:
  Measuring(int top, const std::string& hidden) : top_(top), hidden_(hidden) {}

  Result<storage::TreeSize> run() {
    // Folders wait by their path, not by a handle, so that depth costs no descriptors.
    waiting_.emplace_back();
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
      const std::string path = std::move(waiting_.back());
      waiting_.pop_back();
      ++working_;
      lock.unlock();
      Found found = look_into(path);
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

  Found look_into(const std::string& path) const {
    Found found;
    const Opened folder =
        open_beneath(top_, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, RESOLVE_NO_SYMLINKS);
    if (!folder) {
      found.error = folder.error() == ENOENT ? 0 : folder.error();
      return found;
    }
    ++found.size.folders;
    FolderScan scan(folder->get());
    while (const FolderScan::Entry* item = scan.next()) {
      if (storage::is_hidden_name(item->name) || (path.empty() && hidden_ == item->name)) continue;
      found.error = count(folder->get(), path, *item, found);
      if (found.error != 0) return found;
    }
    found.error = scan.error();
    return found;
  }

  static int count(int folder, const std::string& path, const FolderScan::Entry& item,
                   Found& found) {
    bool is_a_folder = item.type == DT_DIR;
    if (item.type == DT_REG || item.type == DT_UNKNOWN) {
      const auto status = status_in(folder, item.name, kSizeMask);
      if (!status) return status.error() == ENOENT ? 0 : status.error();
      is_a_folder = is_folder(*status);
      if (is_file(*status)) {
        ++found.size.files;
        found.size.bytes += status->stx_size;
      }
    }
    if (is_a_folder) {
      found.folders.push_back(path.empty() ? std::string(item.name) : path + '/' + item.name);
    }
    return 0;
  }

  const int top_;
  const std::string& hidden_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> waiting_;
  int working_ = 0;
  int error_ = 0;
  storage::TreeSize size_;
};

}  // namespace

Result<storage::TreeSize> measure_tree(int folder, const std::string& hidden) {
  return Measuring(folder, hidden).run();
}

}  // namespace coffer::local
