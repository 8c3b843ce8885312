#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/response.h"

namespace coffer::http {

/// The status that an expected failure answers with: the one table of it.
unsigned status_of(ErrorCode code);

/// A JSON response.
Response json_response(unsigned status, std::string json);
/// `{"success":false,"error":"…"}` with the status of the error's code; a 503 asks to come again
/// after a second. What failed on this machine stands in the log.
Response error_response(const Error& error);
Response error_response(unsigned status, std::string_view message);

/// Says when to come again, if the error does, or a second where too much is under way.
void add_retry_after(Response& response, const Error& error);

}  // namespace coffer::http
