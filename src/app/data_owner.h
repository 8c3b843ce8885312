#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"

/// The user that a data folder belongs to, which is the one that the server runs as.
namespace coffer::app {

/// "ann", or "the id 1234" of a user without a name.
std::string user_name(uid_t user);

/// Its name, if it is another one than this process's. A data folder in which nothing was made yet
/// belongs to any user that is given it by root.
std::optional<std::string> foreign_owner_of(const std::filesystem::path& data);

/// Before anything is opened or made: what commands and the server make is for both. If
/// this process is root's, it becomes the folder's owner, with the groups of that user. `forbidden`
/// for any other user but the owner. Does nothing where no folder is.
Result<void> become_owner_of(const std::filesystem::path& data);

}  // namespace coffer::app
