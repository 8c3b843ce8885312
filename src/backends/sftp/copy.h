#pragma once

#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// storage::Backend::copy on one connection: collected beside `to` under the partial name `staging`
/// and shown by one rename. The bytes stay on the server where it has the extension `copy-data`.
/// Blocks.
Result<storage::TreeSize> copy_item(Server& server, const Lookup& lookup, const SftpRemote& remote,
                                    const Path& from, const Path& to, const std::string& staging,
                                    const storage::CopyOptions& options);

}  // namespace coffer::sftp
