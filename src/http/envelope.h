#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// Returns the HTTP status of an error code.
unsigned status_of(ErrorCode code);

/// Returns a response whose body is the JSON text.
Response json_response(unsigned status, std::string json);
/// Returns `{"success":false,"error":"…"}` with the status of the error's code. Sets Retry-After
/// for a 503 and for an error with a `retry_after`. Logs failures of this machine.
Response error_response(const Error& error);
/// Returns `{"success":false,"error":"…"}` with this status and message. A 503 has Retry-After.
Response error_response(unsigned status, std::string_view message);

/// Adds Retry-After if the error has a `retry_after`, or for a 503: one second by default.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
