#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Implements storage::Backend::make_folder.
Task<Result<void>> make_folders(Adapter& adapter, const Path& folder);
/// Implements storage::Backend::rename, without `may_show`.
Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to);

/// A complete copy under a partial name beside its target.
struct CollectedCopy {
  ServerPath staged;
  ServerPath target;
  Kind kind = Kind::file;
  storage::TreeSize size = {};
};

/// Copies `from` to the partial name `staging` beside `to`, by the rules of storage::Backend::copy;
/// `end_copy` must follow. After a failure the partial copy is deleted: before the call returns if
/// the caller has cancelled, otherwise in the background.
Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options);
/// Renames a complete copy to its target. If `may_show` is an error or the rename fails, deletes
/// the copy and returns that error.
Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch);

}  // namespace coffer::remote
