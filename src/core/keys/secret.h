#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/keys.h"

namespace coffer::core {

/// The hash under which a key's secret is kept: BLAKE2b, 32 bytes (RFC 7693). A secret has 122
/// random bits, so a fast hash without a salt gives nothing away.
catalog::KeyHash hash_key_secret(std::string_view secret);

/// Argon2id (RFC 9106) of a password, with its parameters and salt in the text. Takes tens of
/// milliseconds and 64 MiB on purpose: call it on a pool's thread. `failed` when memory is short.
Result<std::string> hash_password(std::string_view password);

}  // namespace coffer::core
