#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

/// Passwords in the form in which the catalog stores them: Argon2id hashes (RFC 9106), whose text
/// includes the parameters and the salt. Each call takes tens of milliseconds and 64 MiB on
/// purpose: call it on a pool's thread.
namespace coffer::core {

/// `invalid` unless the password has 8 to 1024 bytes.
Result<void> check_password(std::string_view password);

/// Returns the hash of a password. `failed` if memory is short.
Result<std::string> hash_password(std::string_view password);

/// Returns true if the hash is of this password. An empty hash takes as long and matches none.
bool is_password(std::string_view password, const std::string& hash);

/// Returns true if the parameters of the hash differ from those of new hashes.
bool needs_new_hash(const std::string& hash);

}  // namespace coffer::core
