#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Adapter::move. Where the answer was lost, the server tells whether it was done: nothing at
/// `from`, and something, of that size if it is given, at `to`.
Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind, std::optional<std::uint64_t> size_bytes = {});
/// The look alone; a failure says that it could not be found out.
Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes = {});

/// Adapter::remove_file, in the same way.
Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as);

/// `exists` if anything has the name.
Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place);
/// `not_found` if there is none, `invalid` if it is a file.
Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder);

}  // namespace coffer::remote
