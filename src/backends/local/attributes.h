#pragma once

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

}  // namespace coffer::local
