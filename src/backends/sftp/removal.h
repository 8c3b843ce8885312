#pragma once

#include <optional>
#include <string>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "backends/sftp/tree.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// storage::Backend::remove; blocks. A folder is read first, then hidden by one rename, then taken
/// apart. What the server refuses to delete is brought back, and the call fails. Where the server
/// cannot be reached any more, what is left is hidden and swept later, and the call succeeds.
Result<storage::TreeSize> remove_item(Server& server, const Lookup& lookup,
                                      const SftpRemote& remote, const Path& path);

/// Deletes all of a tree that stands at `top` now, going on over other connections when one breaks.
/// Returns the first refusal, if there was one; what else could be deleted is gone then. An outage
/// when the server cannot be reached any more.
Result<std::optional<Error>> remove_tree(Server& server, const Tree& tree, const std::string& top);

/// Deletes what stands at `top`, in the same way; nothing to do if there is nothing.
Result<std::optional<Error>> remove_at(Server& server, const std::string& top);

}  // namespace coffer::sftp
