#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Implements storage::Backend::make_folder.
Task<Result<void>> make_folders(Adapter& adapter, const Path& folder);
/// Implements storage::Backend::rename. The caller must have called `may_show` before.
Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to);

/// A complete copy under a partial name beside its target.
struct CollectedCopy {
  ServerPath staged;
  ServerPath target;
  Kind kind = Kind::file;
  storage::TreeSize size = {};
};

/// The first step of storage::Backend::copy. Copies `from` to the partial name `staging` in the
/// folder of `to`. After a success, the caller must call `end_copy`. After a failure, the partial
/// copy is deleted in the background (Leftovers). If the caller has cancelled the copy, the call
/// deletes the partial copy before it returns.
Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options);
/// The second step. Renames a complete copy to its target, unless `may_show` is an error. After any
/// failure, removes the copy as `collect_copy` does.
Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch);

}  // namespace coffer::remote
