#include "backends/local/found_folder.h"

#include <dirent.h>

#include <utility>

#include "backends/local/folder_scan.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kFolderMask = STATX_TYPE | STATX_INO | STATX_BTIME;

bool is_there(int place, const char* name, const RootIdentity& identity) {
  const auto status = status_in(place, name, kFolderMask);
  return status && is_folder(*status) && identity_of(*status) == identity;
}

}  // namespace

std::optional<RootIdentity> identity_at(const Handle& folder) {
  if (!folder) return std::nullopt;
  const auto status = status_of(folder.get(), kFolderMask);
  if (!status) return std::nullopt;
  return identity_of(*status);
}

FoundFolder find_folder(const fs::path& path, const RootIdentity& identity) {
  Handle folder = open_top(path);
  const auto standing = identity_at(folder);
  if (!standing || !(*standing == identity)) return {path, {}};
  return {path, std::move(folder)};
}

FoundFolder find_beside(const fs::path& path, const RootIdentity& identity) {
  const Handle place = open_top(path.parent_path());
  if (!place) return {path, {}};
  FolderScan scan(place.get());
  while (const FolderScan::Entry* item = scan.next()) {
    const bool may_be = item->type == DT_DIR || item->type == DT_UNKNOWN;
    if (!may_be || !is_there(place.get(), item->name, identity)) continue;
    FoundFolder found = find_folder(path.parent_path() / item->name, identity);
    if (found.folder) return found;
  }
  return {path, {}};
}

}  // namespace coffer::local
