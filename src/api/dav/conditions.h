#pragma once

#include "api/dav/call.h"

namespace coffer::api::dav {

/// Evaluates the header `If` (RFC 4918, section 10.4): `changed` if none of its lists is met. The
/// tokens that it names become Principal::lock_tokens of the call, so that the call may change what
/// its account has locked with them.
Task<Result<void>> check_conditions(Call& call);

}  // namespace coffer::api::dav
