#pragma once

#include <ctime>
#include <optional>
#include <string>

#include "base/error.h"

namespace coffer::local {

/// Gives a new file what the file that it will replace has besides its content: owner, group,
/// permissions, access control lists (POSIX and NFSv4), and up to 64 KiB of `user.*` attributes.
/// Leaves out the bits set-user-id and set-group-id and all other attributes, such as capabilities,
/// which were given to another content. Ignores failures, since they must not keep the content out;
/// if not even the group can be given, it gets the permissions of all others. Both are descriptors;
/// `old` may be an O_PATH one. Blocks.
void take_after(int old, int file);

/// Gives a file the group, permissions and access control list of another one: of a sample that was
/// made in the folder where the file will stand. Returns false if one of them cannot be given.
/// Blocks.
bool suit(int file, int sample);

/// Returns the text of storage::Backend::set_properties of an item; empty if it has none. `item`
/// may be an O_PATH descriptor, as in the next two. Blocks.
std::string properties_of(int item);
/// The same for the item `name` of an open folder, which is not opened for it; nullopt if that is a
/// symbolic link.
std::optional<std::string> properties_in(int folder, const std::string& name);
/// Sets that text, or removes it if it is empty. `refused` if the file system keeps no attributes,
/// `disk_full` if the text is too long. Blocks.
Result<void> give_properties(int item, const std::string& text);
/// Sets the modification time. Blocks.
Result<void> give_modified(int item, timespec time);
/// Gives a copy the text of what it was copied from. Ignores failures: they must not keep the
/// content out. Blocks.
void copy_properties(int from, int to);

}  // namespace coffer::local
