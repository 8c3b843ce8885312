#pragma once

#include <functional>
#include <string>

namespace coffer::local {

/// Gets the new name of a folder that was moved up; returns false to stop.
using MovedUp = std::function<bool(std::string name)>;

/// Deletes the item `name` in an open folder. If it is a folder, first moves the folders in it up
/// into the open folder under new names, which the caller has to delete as well: so a tree may have
/// any depth. Returns 0 or an errno. Blocks.
int remove_item(int above, const std::string& name, const MovedUp& moved_up);

/// Deletes everything in an open folder, however deep, and holds two descriptors meanwhile. Returns
/// 0 or the errno of the first failure, after which it has gone on. Blocks.
int empty_tree(int folder);

}  // namespace coffer::local
