#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coffer {

/// Encodes bytes as base64 (RFC 4648, section 4). If `padded`, the text ends with `=` where needed.
std::string to_base64(std::string_view bytes, bool padded = true);

/// Decodes base64. Returns nullopt if the text is not base64, or its padding contradicts `padded`.
std::optional<std::string> from_base64(std::string_view text, bool padded = true);

/// The names and values of a form, in order.
using FormFields = std::vector<std::pair<std::string, std::string>>;

/// Encodes fields as a query or as the body of a form (application/x-www-form-urlencoded), such as
/// `a=1&b=x%20y`. Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
std::string to_form(const FormFields& fields);

}  // namespace coffer
