#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

unsigned status_of(ErrorCode code);

Response json_response(unsigned status, std::string json);
/// Returns `{"success":false,"error":"..."}` with the status of the error's code. Sets Retry-After:
/// one second for a 503, else the error's `retry_after` if it is not 0. Logs failures of this
/// machine (`is_own_failure`).
Response error_response(const Error& error);
/// Returns `{"success":false,"error":"..."}` with this status and message. A 503 has Retry-After.
Response error_response(unsigned status, std::string_view message);

/// Adds the error's `retry_after` as Retry-After. If it is 0, adds one second to a 503.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
