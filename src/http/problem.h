#pragma once

#include <string_view>

#include "base/error.h"
#include "http/response.h"

namespace coffer::http {

/// A failure as `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, and the
/// stable word `code` for programs. What failed on this machine stands in the log.
Response problem_response(const Error& error);
/// The same for what has no code of an error, by its status.
Response problem_response(unsigned status, std::string_view detail);

/// What went wrong, for programs and for people.
struct ProblemKind {
  std::string_view code;
  std::string_view title;
};
/// The same for what has a code of its own.
Response problem_response(unsigned status, ProblemKind kind, std::string_view detail);

/// The word of an error, as `code` has it.
std::string_view problem_code(ErrorCode code);

/// The words that `code` can be, for the description.
inline constexpr std::string_view kProblemCodes[] = {
    "malformed",  "unauthenticated",     "forbidden",  "not_found",
    "name_taken", "precondition_failed", "over_quota", "unavailable",
    "timed_out",  "rate_limited",        "failed",     "no_thumbnail"};

}  // namespace coffer::http
