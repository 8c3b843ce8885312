#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace soci {
class session;
}

namespace coffer::catalog {

/// The only form in which the secret of a key or a session is kept: a 32-byte hash of it.
using SecretHash = std::array<std::byte, 32>;

struct HashOfSecret {
  std::size_t operator()(const SecretHash& hash) const noexcept {
    // It is a hash already: any bytes of it are as good as the whole.
    std::size_t value = 0;
    std::memcpy(&value, hash.data(), sizeof value);
    return value;
  }
};

/// What a caller was let in with.
struct Credential {
  enum class Kind : std::uint8_t { key, session };
  Kind kind = Kind::key;
  SecretHash hash{};
};

/// Whether it opens an account that is not disabled. In a job of the database.
bool stands(soci::session& sql, const Credential& credential);

}  // namespace coffer::catalog
