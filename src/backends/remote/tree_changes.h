#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Implements storage::Backend::make_folder.
Task<Result<void>> make_folders(Adapter& adapter, const Path& folder);
/// Implements storage::Backend::rename, except that the caller must call `may_show` first.
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
/// copy is deleted in the background (Leftovers). But if CopyWatch::was_cancelled returns true,
/// this call deletes the partial copy before it returns.
Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options);
/// The second step of storage::Backend::copy: renames the copy to its target. If `may_show` is an
/// error, fails with it instead. After any failure, deletes the copy as `collect_copy` does.
Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch);

}  // namespace coffer::remote
