#pragma once

#include <cstdint>

#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"
#include "storage/entry.h"

namespace coffer::sftp {

/// storage::Backend::copy on one connection: staged beside `to` and shown by one rename. The bytes
/// stay on the server where it has the extension `copy-data`. Blocks.
Result<storage::TreeSize> copy_item(Server& server, const Lookup& lookup, const Remote& remote,
                                    const Path& from, const Path& to, std::uint64_t limit_bytes);

}  // namespace coffer::sftp
