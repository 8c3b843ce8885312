#pragma once

#include <string>
#include <vector>

#include "backends/sftp/lookup.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// The calls of storage::Backend that only look, on one connection; they block.
Result<storage::Entry> stat_item(const Lookup& lookup, const SftpRemote& remote, const Path& path);
Result<std::vector<storage::Entry>> list_folder(const Lookup& lookup, const SftpRemote& remote,
                                                const Path& folder);
Result<bool> lists_all_of(const Lookup& lookup, const SftpRemote& remote, const Path& folder);
Result<Path> canonical_path(const Lookup& lookup, const SftpRemote& remote, const Path& path);

}  // namespace coffer::sftp
