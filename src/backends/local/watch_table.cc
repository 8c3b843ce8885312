#include "backends/local/watch_table.h"

#include <algorithm>

namespace coffer::local {
namespace {

const std::vector<WatchedFolder*> kNone;

}  // namespace

void WatchTable::add(int watch, const std::string& name, WatchedFolder* one) {
  auto& all = folders_[watch][name];
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

bool WatchTable::remove(int watch, const std::string& name, WatchedFolder* one) {
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return false;
  const auto found = folder->second.find(name);
  if (found == folder->second.end()) return false;
  std::erase(found->second, one);
  if (found->second.empty()) folder->second.erase(found);
  if (!folder->second.empty()) return false;
  folders_.erase(folder);
  return true;
}

const std::vector<WatchedFolder*>& WatchTable::of_folder(int watch) const {
  return of_item(watch, "");
}

const std::vector<WatchedFolder*>& WatchTable::of_item(int watch, std::string_view name) const {
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return kNone;
  const auto found = folder->second.find(name);
  return found == folder->second.end() ? kNone : found->second;
}

std::vector<WatchedFolder*> WatchTable::all_of(int watch) const {
  std::vector<WatchedFolder*> all;
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return all;
  for (const auto& [name, some] : folder->second) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace coffer::local
