#pragma once

#include <cstdint>
#include <vector>

#include "backends/local/lookup.h"
#include "storage/backend.h"

namespace coffer::local {

/// What the local backend does, for a caller that may block; see storage::Backend for the contract
/// of each function.
Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path);
Result<std::vector<storage::Entry>> list_folder(const Lookup& lookup, const Path& folder);
Result<bool> lists_all_of(const Lookup& lookup, const Path& folder);
Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file);
Result<void> make_folders(const Lookup& lookup, const Path& folder);
Result<void> rename_item(const Lookup& lookup, const Path& from, const Path& to);
Result<storage::TreeSize> copy_item(const Lookup& lookup, const Path& from, const Path& to,
                                    const storage::CopyOptions& options);
Result<storage::TreeSize> remove_item(const Lookup& lookup, const Path& path);
Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path);
Result<Path> canonical_path(const Lookup& lookup, const Path& path);

/// Makes changes of the folder safe from a crash, if the volume promises that.
Result<void> sync_if_durable(const Lookup& lookup, const Handle& folder);

}  // namespace coffer::local
