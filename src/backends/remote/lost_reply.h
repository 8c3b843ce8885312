#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Adapter::move. Where the answer was lost, the server tells whether it was done: nothing at
/// `from`, and something at `to`. One of the two is a name that none but this program has, or the
/// name was held.
Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind);
/// The look alone, for what has that size, if one is given: a name that was taken is so before,
/// too. A failure says that it could not be found out.
Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes = {});

/// Adapter::remove_file and Adapter::remove_folder, in the same way.
Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as);
Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder);

/// `exists` if anything has the name.
Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place);
/// `not_found` if there is none, `invalid` if it is a file.
Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder);

}  // namespace coffer::remote
