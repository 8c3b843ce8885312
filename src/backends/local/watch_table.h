#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::local {

struct WatchedFolder;

/// Who wants to know what of the folders that the kernel watches. Not safe for concurrent calls.
class WatchTable {
 public:
  /// `one` is to hear of the item of that name in the folder; of all if the name is empty.
  void add(int watch, const std::string& name, WatchedFolder* one);
  /// True if the folder is of no interest to anyone then.
  bool remove(int watch, const std::string& name, WatchedFolder* one);
  /// Those that watch the folder itself.
  const std::vector<WatchedFolder*>& of_folder(int watch) const;
  /// Those whose way leads through that item of it.
  const std::vector<WatchedFolder*>& of_item(int watch, std::string_view name) const;
  /// All that watch the folder or whose way leads through it.
  std::vector<WatchedFolder*> all_of(int watch) const;

 private:
  using Listeners = std::map<std::string, std::vector<WatchedFolder*>, std::less<>>;
  std::map<int, Listeners> folders_;
};

}  // namespace coffer::local
