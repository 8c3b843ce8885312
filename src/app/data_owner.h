#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"

/// The owner of a data folder: the system user that the server runs as.
namespace coffer::app {

/// Returns the name of a system user, such as "ann"; "the id 1234" if the user has no name.
std::string user_name(uid_t user);

struct SystemUser {
  uid_t user;
  gid_t group;
};

/// Returns the user that a process of root becomes on this data folder (see become_owner_of);
/// nullopt if the folder is missing or has no owner yet.
std::optional<SystemUser> owner_of(const std::filesystem::path& data);

/// Returns the name of the data folder's owner; nullopt if this process runs as the owner, if the
/// folder is missing, or if it has no owner yet. If the folder belongs to root, its owner is the
/// user to whom its subfolder `files` belongs. If this subfolder is missing, root's folder has no
/// owner yet, unless this process cannot write to it: then the owner is root.
std::optional<std::string> foreign_owner_of(const std::filesystem::path& data);

/// If this process runs as root, switches to the owner of the data folder and to the owner's
/// groups, so that commands and the server can use each other's files. Call it before this process
/// opens or makes any file. Does nothing if the folder is missing or has no owner yet. Errors:
/// - `forbidden` if this process runs as a user other than root and the owner;
/// - `failed` if the switch fails.
Result<void> become_owner_of(const std::filesystem::path& data);

}  // namespace coffer::app
