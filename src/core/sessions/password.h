#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

/// Hashes passwords for the catalog with Argon2id (RFC 9106). The text of a hash includes the
/// parameters and the salt. To make guessing expensive, hashing and checking take tens of
/// milliseconds and 64 MiB of memory. Call hash_password and is_password by a PasswordQueue only.
namespace coffer::core {

/// `invalid` unless the password has 8 to 1024 bytes.
Result<void> check_password(std::string_view password);

/// Returns the hash of a password. `failed` if there is not enough memory.
Result<std::string> hash_password(std::string_view password);

/// A hash of a password that nobody knows, with the parameters of hash_password. Its bytes are
/// random.
inline constexpr char kUnknownHash[] =
    "$argon2id$v=19$m=65536,t=2,p=1$+m+hT8O9BrgEhXFfH4wHog$"
    "7tP8qKT4bgFGxvIlddpOzlE/uJhsFwOPCx1Lvkm056Q";

/// Returns true if `hash` is the hash of `password`. An empty hash matches no password; its check
/// takes equally long, so that the time does not reveal that there is no password.
bool is_password(std::string_view password, const std::string& hash);

/// Returns true if new hashes have other parameters, so that this hash should be replaced.
bool needs_new_hash(const std::string& hash);

}  // namespace coffer::core
