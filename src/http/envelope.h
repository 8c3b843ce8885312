#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

unsigned status_of(ErrorCode code);

Response json_response(unsigned status, std::string json);
/// Returns `{"success":false,"error":"..."}` with the status of the error's code. Sets Retry-After
/// to one second for a 503, and otherwise to the error's `retry_after` if that is not 0. Logs the
/// error if it is a failure of this machine (`is_own_failure`).
Response error_response(const Error& error);
/// Returns `{"success":false,"error":"..."}` with this status and message. A 503 has Retry-After.
Response error_response(unsigned status, std::string_view message);

/// Sets Retry-After to the error's `retry_after`. If that is 0, sets one second for a 503 only.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
