#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/ftp/listing.h"
#include "backends/ftp/server.h"
#include "base/error.h"

namespace coffer::ftp {

// All paths here are relative to FtpOptions::root.

/// Returns the item at a path. Leaves out the modification time of a folder if getting the time
/// would cost another request. A symbolic link has Kind::link only if the server reports a link.
/// `not_found` if the server does not show an item at the path; the item may exist nevertheless.
Result<FtpItem> metadata_of(Session session, const std::string& path);

/// Returns the item at a path, or nullopt if the item certainly does not exist. If the server's
/// reply is not clear, the listing of the item's folder decides.
Result<std::optional<FtpItem>> find(Session session, const std::string& path);

/// Like `metadata_of`, but returns a folder's modification time even if this costs another request.
/// `not_found` for symbolic links and devices, because clients do not see them.
Result<FtpItem> stat_item(Session session, const std::string& path);

/// Lists all items in a folder, including symbolic links and hidden items. `invalid` for a file.
Result<Listing> list_all_items(Session session, const std::string& folder);

/// Sets the modification time of a file. Also succeeds if the server does not set the time.
Result<void> set_modified_at(Session session, const std::string& path, Timestamp time);

/// Returns the error for an operation at `path` that the server refused with `reply`. If the reply
/// gives no clear reason, checks whether the parent folder of `path` is missing or is a file.
Error explain(Session session, const std::string& path, const Reply& reply);

/// Sends the FTP command `verb` with one path. A refusal becomes the error that `explain` returns.
Result<void> command(Session session, const std::string& verb, const std::string& path);

/// Checks the path `place` of a new item: `invalid` if its name ends with a space that the server
/// would not keep. pure-ftpd stores `a ` as `a_`, and replaces an existing item `a_`. The first
/// such name causes a test in a hidden folder on the server; Server::keeps_blanks has the result.
Result<void> need_kept_name(Session session, const std::string& place);

}  // namespace coffer::ftp
