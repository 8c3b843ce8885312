#pragma once

#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

/// A failure as `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, and the
/// stable word `code` for programs. Failures of this machine are logged.
Response problem_response(const Error& error);
/// A problem with the code of its status.
Response problem_response(unsigned status, std::string_view detail);

/// The kind of a problem, for programs and for people.
struct ProblemKind {
  std::string_view code;
  std::string_view title;
};
/// A problem with a code of its own.
Response problem_response(unsigned status, ProblemKind kind, std::string_view detail);

/// The `code` of an error.
std::string_view problem_code(ErrorCode code);

/// All values of `code`, for the description.
inline constexpr std::string_view kProblemCodes[] = {
    "malformed",  "unauthenticated",     "forbidden",  "not_found",
    "name_taken", "precondition_failed", "over_quota", "unavailable",
    "timed_out",  "rate_limited",        "failed",     "no_thumbnail"};

}  // namespace coffer::http
