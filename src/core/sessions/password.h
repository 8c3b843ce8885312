#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

/// Passwords as the catalog keeps them: Argon2id (RFC 9106) with its parameters and salt in the
/// text. Each call takes tens of milliseconds and 64 MiB on purpose: call it on a pool's thread.
namespace coffer::core {

/// `invalid` unless it has 8 to 1024 bytes.
Result<void> check_password(std::string_view password);

/// `failed` when memory is short.
Result<std::string> hash_password(std::string_view password);

/// True if the hash is of this password. Takes as long for an empty hash, which matches none.
bool is_password(std::string_view password, const std::string& hash);

/// True if the hash was made with other parameters than new ones are.
bool needs_new_hash(const std::string& hash);

}  // namespace coffer::core
