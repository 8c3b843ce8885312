#include "backends/local/tree_removal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "backends/local/folder_scan.h"
#include "backends/local/handle.h"
#include "backends/local/name_changes.h"

namespace coffer::local {
namespace {

/// 0 if it was moved. A folder that its owner may not write into cannot be moved either.
int move_up(int from, const char* name, int to, const char* new_name) {
  if (::renameat(from, name, to, new_name) == 0) return 0;
  if (errno != EACCES || ::fchmodat(from, name, 0700, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  return ::renameat(from, name, to, new_name);
}

void empty_folder(int above, const std::string& name, const MovedUp& moved_up) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  // A folder that its owner may not read or write cannot be emptied either.
  ::fchmodat(above, name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  const Handle folder(::openat(above, name.c_str(), kFlags));
  if (!folder) return;
  FolderScan scan(folder.get());
  while (const FolderScan::Entry* entry = scan.next()) {
    if (entry->type != DT_DIR && ::unlinkat(folder.get(), entry->name, 0) == 0) continue;
    std::string moved = new_staging_name();
    if (move_up(folder.get(), entry->name, above, moved.c_str()) != 0) continue;
    if (!moved_up(std::move(moved))) return;
  }
}

}  // namespace

int remove_item(int above, const std::string& name, const MovedUp& moved_up) {
  if (::unlinkat(above, name.c_str(), 0) == 0 || errno == ENOENT) return 0;
  if (errno == EISDIR || errno == EPERM) {
    empty_folder(above, name, moved_up);
    if (::unlinkat(above, name.c_str(), AT_REMOVEDIR) == 0) return 0;
  }
  return errno;
}

int empty_tree(int folder) {
  std::vector<std::string> left;
  FolderScan scan(folder);
  while (const FolderScan::Entry* item = scan.next()) left.emplace_back(item->name);
  const MovedUp moved_up = [&left](std::string name) {
    left.push_back(std::move(name));
    return true;
  };
  int error = scan.error();
  while (!left.empty()) {
    const std::string name = std::move(left.back());
    left.pop_back();
    if (const int failed = remove_item(folder, name, moved_up); error == 0) error = failed;
  }
  return error;
}

}  // namespace coffer::local
