#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"

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

/// The key or session by which a caller was authenticated.
struct Credential {
  enum class Kind : std::uint8_t { key, session };
  Kind kind = Kind::key;
  SecretHash hash{};
};

/// The caller who asks for a change. The change's own transaction checks the credential again,
/// after it bumped the generation `auth`, so that its end comes before the change or after it.
struct Asker {
  Credential credential;
  bool must_be_admin = false;
  std::string address = {};  ///< The client's.
};

/// The one who did something, for the audit log.
struct Actor {
  std::string name = {};     ///< The account's; empty: the command line, or one who is not known.
  std::string address = {};  ///< The client's.
  std::string key_id = {};   ///< Of the key that it was done with, if it was one.
  std::string session_id = {};  ///< Of the session, if it was one.
};

/// `unauthenticated` if the credential opens nothing any more, `forbidden` if its account is no
/// administrator's any more. Without an asker the server itself asks, or the command line.
Result<Actor> check(soci::session& sql, const std::optional<Asker>& asker);
/// Begins a change of mounts that is asked for: bumps the generations that it has to, the accounts'
/// first, and checks the asker.
Result<Actor> begin_change(soci::session& sql, const std::optional<Asker>& asker);

}  // namespace coffer::catalog
