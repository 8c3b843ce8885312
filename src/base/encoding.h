#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coffer {

/// Base64 (RFC 4648, section 4), with `=` at its end or without.
std::string to_base64(std::string_view bytes, bool padded = true);

/// The bytes; nullopt if the text is not base64 of that kind.
std::optional<std::string> from_base64(std::string_view text, bool padded = true);

/// Names and values in order.
using FormFields = std::vector<std::pair<std::string, std::string>>;

/// A query or the body of a form (application/x-www-form-urlencoded), such as `a=1&b=x%20y`.
/// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
std::string to_form(const FormFields& fields);

}  // namespace coffer
