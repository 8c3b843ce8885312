#include "backends/local/measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include <cerrno>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/open_beneath.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

class Measuring {
 public:
  Measuring(int top, const std::string& hidden) : top_(top), hidden_(hidden) {}

  Result<storage::TreeSize> run() {
    // Folders wait by their path, not by a handle, so that depth costs no descriptors.
    pending_.emplace_back();
    while (!pending_.empty()) {
      const std::string path = std::move(pending_.back());
      pending_.pop_back();
      if (const int error = add_folder(path); error != 0) return fail_with(error);
    }
    return size_;
  }

 private:
  int add_folder(const std::string& path) {
    const Opened folder =
        open_beneath(top_, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, RESOLVE_NO_SYMLINKS);
    if (!folder) return folder.error() == ENOENT ? 0 : folder.error();
    ++size_.folders;
    FolderScan scan(folder->get());
    while (const FolderScan::Item* item = scan.next()) {
      if (path.empty() && hidden_ == item->name) continue;
      if (item->type == DT_DIR) {
        add_pending(path, item->name);
      } else if (item->type == DT_REG || item->type == DT_UNKNOWN) {
        const auto status = status_in(folder->get(), item->name, kSizeMask);
        if (!status && status.error() != ENOENT) return status.error();
        if (status) add_item(path, item->name, *status);
      }
    }
    return scan.error();
  }

  void add_pending(const std::string& path, const char* name) {
    pending_.push_back(path.empty() ? std::string(name) : path + '/' + name);
  }

  void add_item(const std::string& path, const char* name, const Status& status) {
    if (is_folder(status)) add_pending(path, name);
    if (!is_file(status)) return;
    ++size_.files;
    size_.bytes += status.stx_size;
  }

  const int top_;
  const std::string& hidden_;
  std::vector<std::string> pending_;
  storage::TreeSize size_;
};

}  // namespace

Result<storage::TreeSize> measure_tree(int folder, const std::string& hidden) {
  return Measuring(folder, hidden).run();
}

}  // namespace coffer::local
