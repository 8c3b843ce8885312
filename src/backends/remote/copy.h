#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// What stands under a partial name beside its target, and is shown by one move.
struct CollectedCopy {
  ServerPath staged;
  ServerPath target;
  Kind kind = Kind::file;
  storage::TreeSize size = {};
};

/// storage::Backend::copy as far as it is out of sight, under the partial name `staging`. What a
/// failure leaves is deleted; who stopped it waits for that.
Task<Result<CollectedCopy>> collect_copy(Adapter& adapter, const Path& from, const Path& to,
                                         const std::string& staging,
                                         const storage::CopyOptions& options);
/// Shows it, if it may, and else deletes it.
Task<Result<void>> end_copy(Adapter& adapter, const CollectedCopy& copy, Result<void> may_show,
                            const storage::CopyWatch& watch);

}  // namespace coffer::remote
