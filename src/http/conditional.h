#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/message.h"

namespace coffer::http {

/// The result of the conditions of a GET or HEAD: `not_modified` needs a 304, `failed` a 412.
enum class Precondition : std::uint8_t { passed, not_modified, failed };

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since of a GET or HEAD in
/// the order of RFC 9110, section 13.2.2.
Precondition check_preconditions(const Request& request, std::string_view etag,
                                 Timestamp modified_at);

/// Returns true if If-None-Match is `*` or has `etag` by the weak comparison.
bool has_tag(const Request& request, std::string_view etag);

/// The current state of the file that a request writes.
struct Validators {
  std::string etag;  ///< Strong, with its quotes.
  Timestamp modified_at{};
};

/// Returns true if the request has a header that `meets_write_conditions` evaluates.
bool has_write_conditions(const Request& request);

/// Returns true if If-Match, If-Unmodified-Since and If-None-Match of a write are met, in the order
/// of RFC 9110, section 13.2.2. `current` is nullopt if the target does not exist.
bool meets_write_conditions(const Request& request, const std::optional<Validators>& current);

/// Returns true if the Range header applies: If-Range is missing, or it names exactly the current
/// state of the content (RFC 9110, section 13.1.5). A date in If-Range is accepted only if the
/// content was modified at least a minute ago. A younger file may have changed twice within one
/// second, so that its date is a weak validator (section 8.8.2.2).
bool range_applies(const Request& request, std::string_view etag, Timestamp modified_at,
                   Timestamp now);

}  // namespace coffer::http
