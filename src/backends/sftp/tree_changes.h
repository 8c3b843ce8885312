#pragma once

#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"

namespace coffer::sftp {

/// The calls of storage::Backend that change names, on one connection; they block.
Result<void> make_folders(const Lookup& lookup, const SftpRemote& remote, const Path& folder);
Result<void> rename_item(Server& server, const Lookup& lookup, const SftpRemote& remote,
                         const Path& from, const Path& to);
Result<Path> canonical_path(const Lookup& lookup, const SftpRemote& remote, const Path& path);

}  // namespace coffer::sftp
