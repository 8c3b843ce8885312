#pragma once

#include <cstdint>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/open_beneath.h"
#include "backends/local/status.h"
#include "base/error.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::local {

/// Copies one file into `folder` under a name that is free there, with its permissions and times.
/// `over_quota` when it holds more than `limit_bytes`. Returns its bytes. Blocks.
Result<std::uint64_t> copy_file(int source, const Status& status, int folder, const char* name,
                                std::uint64_t limit_bytes, storage::CopyWatch& watch);

/// Copies the tree in the open folder `source` into `folder` under `name`. Links, devices, sockets
/// and FIFOs are left out, and so is `hidden` directly in the source. Folders get their modes, but
/// the owner may do all in the top one. Files that vanish meanwhile are left
/// out; `conflict` when a folder does. A failure leaves a part.
Result<storage::TreeSize> copy_tree(int source, int folder, const char* name,
                                    const storage::CopyOptions& options, const std::string& hidden);

/// `conflict` unless the item that was copied from, still open, is also what is at its place now.
Result<void> check_source(int source, const Opened& now);

/// What both need of the source's status.
inline constexpr unsigned kCopyMask = kSizeMask | STATX_MODE | STATX_MTIME;

}  // namespace coffer::local
