#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/ftp/listing.h"
#include "backends/ftp/server.h"
#include "base/error.h"

namespace coffer::ftp {

/// Paths are below the root of the server's options.

/// Returns the item at a path, as far as a change needs to know it. Links are recognised only if
/// the server tells of them. `not_found` if the server shows nothing there, for whatever reason.
Result<FtpItem> metadata_of(Session session, const std::string& path);

/// Returns the item of that name, or nullopt if there is surely none: if the server does not show
/// the item and does not clearly say that none is there, the listing of its folder decides.
Result<std::optional<FtpItem>> find(Session session, const std::string& path);

/// Returns the item as clients see it, with the time of a folder. Links and devices are
/// `not_found`.
Result<FtpItem> stat_item(Session session, const std::string& path);

/// Lists everything in a folder, also links and partial names.
Result<std::vector<FtpItem>> list_all_items(Session session, const std::string& folder);

/// Sets the modification time, if the server can.
Result<void> set_modified_at(Session session, const std::string& path, Timestamp time);

/// Returns the error of an operation at `path` that the server refused without a clear reason:
/// nothing is there, the folder that it should be in is missing, or what `reply` says.
Error explain(Session session, const std::string& path, const Reply& reply);

/// Sends a command on one path and explains a refusal.
Result<void> command(Session session, const std::string& verb, const std::string& path);

/// `invalid` if the server would not keep the name at `place`, which is to be made. pure-ftpd makes
/// `a_` of a new `a `, and replaces what is there; one test per run of the program finds out
/// whether the server is such a one.
Result<void> need_kept_name(Session session, const std::string& place);

}  // namespace coffer::ftp
