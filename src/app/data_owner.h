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

/// Returns the owner's name if it is not this process's user. A new data folder of root's that this
/// process can use has no owner yet.
std::optional<std::string> foreign_owner_of(const std::filesystem::path& data);

/// Becomes the folder's owner, with the groups of that user, if this process runs as root, so that
/// commands and the server can use each other's files. Call it before anything is opened or made.
/// `forbidden` for any other user but the owner. Does nothing if there is no folder.
Result<void> become_owner_of(const std::filesystem::path& data);

}  // namespace coffer::app
