#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"

/// The owner of a data folder, who is also the user that the server runs as.
namespace coffer::app {

/// Returns the user's name, as "ann", or "the id 1234" for a user without a name.
std::string user_name(uid_t user);

/// Returns the name of the data folder's owner; nullopt if that is this process's user or there is
/// no owner yet. The owner is the owner of the subfolder `files`; without the subfolder, the owner
/// of the data folder, which has no owner yet if it is root's and this process can use it.
std::optional<std::string> foreign_owner_of(const std::filesystem::path& data);

/// If this process runs as root, switches to the user who owns the data folder, and to that user's
/// groups, so that commands and the server can use each other's files. Call it before anything is
/// opened or made. `forbidden` if this process runs as a user who is neither root nor the owner;
/// `failed` if the switch fails. Does nothing if there is no folder or no owner yet.
Result<void> become_owner_of(const std::filesystem::path& data);

}  // namespace coffer::app
