#pragma once

#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// Returns a failure as `application/problem+json` (RFC 9457) with `type`, `title`, `status`,
/// `detail`, and `code`, a stable word for programs. Logs failures of this machine.
Response problem_response(const Error& error);
/// Returns a problem whose code and title follow from the status.
Response problem_response(unsigned status, std::string_view detail);

/// The kind of a problem: a code for programs and a title for people.
struct ProblemKind {
  std::string_view code;
  std::string_view title;
};
/// Returns a problem with the code and title of `kind`.
Response problem_response(unsigned status, ProblemKind kind, std::string_view detail);

/// Returns the `code` of the problem for an error.
std::string_view problem_code(ErrorCode code);

/// All values of `code`, for the API's description.
inline constexpr std::string_view kProblemCodes[] = {
    "malformed",  "unauthenticated",     "forbidden",  "not_found",
    "name_taken", "precondition_failed", "over_quota", "unavailable",
    "timed_out",  "rate_limited",        "failed",     "no_thumbnail"};

}  // namespace coffer::http
