#pragma once

#include <optional>
#include <vector>

#include "backends/ftp/listing.h"
#include "backends/ftp/server.h"

namespace coffer::ftp {

/// Places are whole below the root of the server's options.

/// What is at a place, as far as one needs to know before changing it. Links are recognised only
/// where the server does. `not_found` if the server shows nothing there, for whatever reason.
Result<FtpItem> metadata_of(Session session, const std::string& path);

/// What has the name, if anything has. This is sure: where the server does not show the item and
/// does not say clearly that none is there, the listing of its folder tells.
Result<std::optional<FtpItem>> find(Session session, const std::string& path);

/// The same for clients: with the time of a folder; links and what is no file are not found.
Result<FtpItem> stat_item(Session session, const std::string& path);

/// Everything in a folder, also links and partial names.
Result<std::vector<FtpItem>> list_all_items(Session session, const std::string& folder);

/// Where the server can.
Result<void> set_modified_at(Session session, const std::string& path, Timestamp time);

/// The error of an operation at `path` that the server refused without a clear reason: because
/// nothing is there, because the folder it should be in is missing, or `otherwise`.
Error explain(Session session, const std::string& path, const Reply& reply);

/// A command on one place, which is explained where the server refuses it.
Result<void> command(Session session, const std::string& verb, const std::string& path);

}  // namespace coffer::ftp
