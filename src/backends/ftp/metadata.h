#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/ftp/listing.h"
#include "backends/ftp/server.h"
#include "base/error.h"

namespace coffer::ftp {

// All paths here are below the root in the server's options.

/// Returns the item at a path. The time of a folder is left out if it would cost another request.
/// Symbolic links are recognised only if the server reports them. `not_found` if the server does
/// not show an item there, for whatever reason.
Result<FtpItem> metadata_of(Session session, const std::string& path);

/// Returns the item at a path, or nullopt if there certainly is none. If the server neither shows
/// an item nor clearly says that there is none, the listing of the folder decides.
Result<std::optional<FtpItem>> find(Session session, const std::string& path);

/// Returns the item at a path as clients see it, with the time of a folder. `not_found` for
/// symbolic links and devices.
Result<FtpItem> stat_item(Session session, const std::string& path);

/// Lists all items in a folder, including symbolic links and partial names. `invalid` for a file.
Result<std::vector<FtpItem>> list_all_items(Session session, const std::string& folder);

/// Sets the modification time. Succeeds without effect if the server cannot or does not set it.
Result<void> set_modified_at(Session session, const std::string& path, Timestamp time);

/// Returns the error for an operation at `path` that the server refused with `reply`. If the reply
/// gives no clear reason, checks whether the folder of `path` is missing or is a file.
Error explain(Session session, const std::string& path, const Reply& reply);

/// Sends a command with one path. A refusal becomes the error of `explain`.
Result<void> command(Session session, const std::string& verb, const std::string& path);

/// Checks that the server would keep the new name `place`, if that ends with a space. pure-ftpd
/// changes `a ` to `a_`, and replaces an item of that name. The first such name is tested on the
/// server, and the result is kept. `invalid` if the server does not keep the name.
Result<void> need_kept_name(Session session, const std::string& place);

}  // namespace coffer::ftp
