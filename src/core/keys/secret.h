#pragma once

#include <string_view>

#include "catalog/credential.h"

namespace coffer::core {

/// The hash under which the secret of a key, a session or a link is kept: BLAKE2b, 32 bytes (RFC
/// 7693). A secret has at least 122 random bits, so a fast hash without a salt gives nothing away.
catalog::SecretHash hash_secret(std::string_view secret);

}  // namespace coffer::core
