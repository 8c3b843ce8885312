#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "backends/local/handle.h"

namespace coffer::local {

/// A folder of a tree that is walked through. Opening it costs the same at every depth: it is
/// opened from an open folder that is at most 64 levels above it. Follows no symbolic links. Cheap
/// to copy. Not safe for concurrent calls; copies are independent of each other.
class WalkedFolder {
 public:
  /// The top of the tree, an open folder, which must outlive the walk.
  explicit WalkedFolder(int top) : top_(top) {}

  /// Opens the folder. `flags` are those of open(2).
  Opened open(std::uint64_t flags) const;
  /// Returns the folder `name` in this one. `opened` is this folder as `open` returned it.
  WalkedFolder child(std::string_view name, int opened);
  /// Returns how many levels the folder is below the top.
  std::size_t depth() const { return depth_; }

 private:
  int top_;
  std::shared_ptr<const Handle> anchor_ = {};  ///< Null: the top.
  std::string path_ = {};                      ///< From the anchor.
  std::size_t levels_ = 0;                     ///< Of `path_`.
  std::size_t depth_ = 0;
  std::shared_ptr<const Handle> own_anchor_ = {};  ///< For the folders in this one.
};

/// An item that `walk_tree` has met.
struct WalkedItem {
  int folder;          ///< The open folder that it is in.
  const char* name;    ///< Valid during the call.
  unsigned char type;  ///< As FolderScan::Entry::type.
};

/// Calls `visit` for every item in the tree beneath an open folder. `visit` returns false to leave
/// out the content of a folder. Passes over folders that cannot be opened, or vanish. Blocks.
void walk_tree(int top, const std::function<bool(const WalkedItem& item)>& visit);

/// Returns true if the tree beneath an open folder has folders more than `levels` levels below it;
/// an errno if one cannot be read. Blocks.
std::expected<bool, int> has_folder_below(int top, std::size_t levels);

}  // namespace coffer::local
