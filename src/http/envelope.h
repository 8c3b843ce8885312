#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

unsigned status_of(ErrorCode code);

Response json_response(unsigned status, std::string json);
/// Returns `{"success":false,"error":"..."}` with the status `status_of(error.code)`. Sets
/// Retry-After like `add_retry_after`. Logs the error if it is a failure of this machine
/// (`is_own_failure`).
Response error_response(const Error& error);
/// Returns `{"success":false,"error":"..."}` with this status. A 503 gets `Retry-After: 1`.
Response error_response(unsigned status, std::string_view message);

/// Sets Retry-After to the error's `retry_after`. If it is 0, sets one second, but only for a 503.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
