#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Make folders and rename as storage::Backend says, over one adapter.
Task<Result<void>> make_folders(Adapter& adapter, const Path& folder);
Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to);

/// A copy that is complete under a partial name beside its target.
struct CollectedCopy {
  ServerPath staged;
  ServerPath target;
  Kind kind = Kind::file;
  storage::TreeSize size = {};
};

/// Copies as storage::Backend::copy does, to the partial name `staging`. A failure deletes the
/// partial copy; a caller that cancelled waits for that.
Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options);
/// Renames a complete copy to its target, or deletes it if `may_show` is a failure.
Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch);

}  // namespace coffer::remote
