#pragma once

#include <cstddef>
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

/// Encodes bytes as base64url without padding (RFC 4648, section 5).
std::string to_base64url(std::string_view bytes);

/// Decodes base64url without padding. Returns nullopt if the text is anything else: padded, with
/// other characters, or with bits at its end that no encoder sets.
std::optional<std::string> from_base64url(std::string_view text);

/// Encodes bytes as base32 (RFC 4648, section 6) without padding.
std::string to_base32(std::string_view bytes);

/// Returns a BLAKE2b hash of the text (RFC 7693), of 16 to 64 bytes, as hexadecimal digits.
std::string hash_hex(std::string_view text, std::size_t bytes);

/// The names and values of a form, in order.
using FormFields = std::vector<std::pair<std::string, std::string>>;

/// Encodes fields as a query or as the body of a form (application/x-www-form-urlencoded), such as
/// `a=1&b=x%20y`. Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
std::string to_form(const FormFields& fields);

}  // namespace coffer
