#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/message.h"

namespace coffer::http {

enum class Precondition : std::uint8_t { passed, not_modified, failed };

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since of a GET or HEAD in
/// the order of RFC 9110, section 13.2.2.
Precondition check_preconditions(const Request& request, std::string_view etag,
                                 Timestamp modified_at);

/// True if If-None-Match is `*` or has this tag, compared weakly: the client has this state.
bool has_tag(const Request& request, std::string_view etag);

/// The present state of the target of a write.
struct Validators {
  std::string etag;  ///< Strong, with its quotes.
  Timestamp modified_at{};
};

/// True if the request has one of the conditions of the next function.
bool has_write_conditions(const Request& request);

/// Evaluates If-Match, If-Unmodified-Since and If-None-Match of a request that writes, in the order
/// of RFC 9110, section 13.2.2. `current` is nullopt if the target does not exist.
bool meets_write_conditions(const Request& request, const std::optional<Validators>& current);

/// True if Range applies: there is no If-Range, or it names exactly this state of the content (RFC
/// 9110, section 13.1.5). A date is accepted only if it was a minute old: before, the content may
/// have changed twice within its second, which makes it a weak validator (section 8.8.2.2).
bool range_applies(const Request& request, std::string_view etag, Timestamp modified_at,
                   Timestamp now);

}  // namespace coffer::http
