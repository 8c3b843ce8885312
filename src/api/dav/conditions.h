#pragma once

#include <optional>

#include "api/dav/call.h"
#include "storage/entry.h"

namespace coffer::api::dav {

/// Evaluates the header `If` (RFC 4918, section 10.4): `changed` if none of its lists is met. The
/// tokens that it names become Principal::lock_tokens of the call, so that the call may change what
/// its account has locked with them.
Task<Result<void>> check_conditions(Call& call);

/// Evaluates the conditions of HTTP that a request to change an item has (RFC 9110, section 13).
/// Returns the version of the item that is there; nullopt if there is none. `changed` if one is not
/// met.
Task<Result<std::optional<storage::FileVersion>>> check_write_conditions(const Call& call);

}  // namespace coffer::api::dav
