#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/request.h"

namespace coffer::http {

enum class Precondition : std::uint8_t { passed, not_modified, failed };

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since of a GET or HEAD in
/// the order of RFC 9110, section 13.2.2.
Precondition check_preconditions(const Request& request, std::string_view etag,
                                 Timestamp modified_at);

/// True if If-None-Match names this state, by a weak tag too, or any: then the client has it.
bool has_tag(const Request& request, std::string_view etag);

/// The state of what a request wants to write to.
struct Validators {
  std::string etag;  ///< Strong, with its quotes.
  Timestamp modified_at{};
};

/// True if the request depends on the state of what it writes to: a header of those below.
bool has_write_conditions(const Request& request);

/// Evaluates If-Match, If-Unmodified-Since and If-None-Match of a request that writes, in the order
/// of RFC 9110, section 13.2.2. `current` is nothing where there is nothing yet.
bool meets_write_conditions(const Request& request, const std::optional<Validators>& current);

/// True if the request's Range counts: there is no If-Range, or it names exactly this state of the
/// content (RFC 9110, section 13.1.5). A date counts from a minute after the modification only:
/// before that the content may have changed twice within the second that the date names, which
/// makes it a weak validator (section 8.8.2.2).
bool range_applies(const Request& request, std::string_view etag, Timestamp modified_at,
                   Timestamp now);

}  // namespace coffer::http
