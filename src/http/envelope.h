#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// The status of an expected failure.
unsigned status_of(ErrorCode code);

/// A JSON response.
Response json_response(unsigned status, std::string json);
/// `{"success":false,"error":"…"}` with the status of the error's code; a 503 has Retry-After.
/// Failures of this machine are logged.
Response error_response(const Error& error);
Response error_response(unsigned status, std::string_view message);

/// Adds Retry-After: the time of the error, or a second for `overloaded`.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
