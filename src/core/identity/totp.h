#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace coffer::core {

/// The bytes of a secret that an authenticator and the server share (RFC 4226, section 4, R6).
inline constexpr std::size_t kTotpSecretBytes = 20;

/// Returns the code of an authenticator for a time step: six digits (RFC 4226, section 5.3, with
/// HMAC-SHA-1). `secret` is the bytes themselves.
std::string totp_code(std::string_view secret, std::int64_t step);

/// Returns the number of the time step: 30 seconds each, since 1970 (RFC 6238, section 4.2).
std::int64_t totp_step(Timestamp at);

/// Returns the step of which `code` is the code, if it is that of `at`, the one before or the one
/// after, since clocks differ (RFC 6238, section 5.2). White space in the code counts for nothing.
/// Takes as long for a wrong code as for a right one.
std::optional<std::int64_t> step_of_code(std::string_view secret, std::string_view code,
                                         Timestamp at);

/// Returns the address that a QR code tells an authenticator (Google Authenticator's "Key Uri
/// Format"). `secret` is in base32.
std::string totp_uri(std::string_view account, std::string_view secret);

}  // namespace coffer::core
