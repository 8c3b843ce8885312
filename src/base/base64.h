#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// Base64 (RFC 4648, section 4), with the signs `=` at its end or without them.
std::string to_base64(std::string_view bytes, bool padded = true);

/// The bytes; nothing for what is no base64 of that kind.
std::optional<std::string> from_base64(std::string_view text, bool padded = true);

}  // namespace coffer
