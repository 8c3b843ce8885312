#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer::oidc {

/// Parses a JSON object; nullopt if the text is anything else. Of members with the same name the
/// last one counts (RFC 7515, section 4).
std::optional<boost::json::object> parse_object(std::string_view text);

/// Returns a member that is a text; nullopt if it is missing or something else.
std::optional<std::string> text_in(const boost::json::object& object, std::string_view name);

/// Returns a member that is a time (RFC 7519, section 2: seconds since the start of 1970, perhaps
/// with a fraction, which is cut off); nullopt if it is missing or something else.
std::optional<std::int64_t> seconds_in(const boost::json::object& object, std::string_view name);

}  // namespace coffer::oidc
