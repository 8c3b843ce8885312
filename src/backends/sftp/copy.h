#pragma once

#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// What stands under a partial name beside its target, and is shown by one rename.
struct CollectedCopy {
  std::string staged;
  std::string target;
  storage::TreeSize size;
};

/// storage::Backend::copy as far as it is out of sight, on one connection, under the partial name
/// `staging`. The bytes stay on the server where it has the extension `copy-data`. What a failure
/// leaves is deleted. Blocks.
Result<CollectedCopy> collect_copy(Server& server, const Lookup& lookup, const SftpRemote& remote,
                                   const Path& from, const Path& to, const std::string& staging,
                                   const storage::CopyOptions& options);
/// Shows it, if it may, and else deletes it. Blocks.
Result<void> end_copy(Server& server, const CollectedCopy& copy, Result<void> may_show);

}  // namespace coffer::sftp
