#pragma once

#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// Returns the response to an error: a problem (RFC 9457) of the type `application/problem+json`.
/// Its member `code` is a stable word for programs. Sets Retry-After like `add_retry_after`. Logs
/// the error if it is a failure of this machine (`is_own_failure`).
Response problem_response(const Error& error);
/// Returns a problem with the code and the title that belong to the status.
Response problem_response(unsigned status, std::string_view detail);

/// The kind of a problem: a code for programs and a title for people.
struct ProblemKind {
  std::string_view code;
  std::string_view title;
};
Response problem_response(unsigned status, ProblemKind kind, std::string_view detail);

std::string_view problem_code(ErrorCode code);

/// All values of `code`, for the API's description.
inline constexpr std::string_view kProblemCodes[] = {
    "malformed",           "unauthenticated", "forbidden",    "not_found",   "name_taken",
    "precondition_failed", "locked",          "over_quota",   "unavailable", "timed_out",
    "rate_limited",        "failed",          "no_thumbnail", "unconfirmed"};

}  // namespace coffer::http
