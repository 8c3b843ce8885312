#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/message.h"

namespace coffer::http {

/// The result of the conditions of a GET or HEAD. `not_modified` means a 304, `failed` a 412.
enum class Precondition : std::uint8_t { passed, not_modified, failed };

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since of a GET or HEAD in
/// the order of RFC 9110, section 13.2.2.
Precondition check_preconditions(const Request& request, std::string_view etag,
                                 Timestamp modified_at);

/// Returns true if If-None-Match is `*` or lists `etag`. Compares weakly: ignores `W/`.
bool has_tag(const Request& request, std::string_view etag);

/// The current state of a file that a request is about to write.
struct Validators {
  std::string etag;  ///< Strong, with its quotes.
  Timestamp modified_at{};
};

/// Returns true if the request has If-Match, If-Unmodified-Since or If-None-Match.
bool has_write_conditions(const Request& request);

/// Evaluates the conditions of a write in the order of RFC 9110, section 13.2.2. Returns true if
/// all are met. `current` is nullopt if the file does not exist.
bool meets_write_conditions(const Request& request, const std::optional<Validators>& current);

/// Returns true if the Range header applies (RFC 9110, section 13.1.5). It applies if If-Range is
/// missing or equals `etag`. It also applies if If-Range is the date `modified_at` and `now` is at
/// least a minute later. The date of a younger file does not identify its content, because the file
/// may have changed twice within one second (section 8.8.2.2).
bool range_applies(const Request& request, std::string_view etag, Timestamp modified_at,
                   Timestamp now);

}  // namespace coffer::http
