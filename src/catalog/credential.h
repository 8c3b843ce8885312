#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

/// A 32-byte hash of the secret of a key or session. The secret itself is not stored.
using SecretHash = std::array<std::byte, 32>;

struct HashOfSecret {
  std::size_t operator()(const SecretHash& hash) const noexcept {
    // The bytes of a hash are random, so the first ones suffice.
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

/// The caller who asks for a change. The transaction of the change first bumps Generation::auth,
/// which makes concurrent revocations wait, and then checks the credential again. So no change
/// succeeds after its credential was revoked.
struct Asker {
  Credential credential;
  bool must_be_admin = false;
  std::string address = {};  ///< The client's address.
};

/// The author of an event in the audit log.
struct Actor {
  /// The name of the account; empty for the command line and for people who are not signed in.
  std::string name = {};
  std::string address = {};     ///< The client's address.
  std::string key_id = {};      ///< The key that was used, if any.
  std::string session_id = {};  ///< The session that was used, if any.
};

/// Checks an asker and returns the actor for the audit log. If the server itself or the command
/// line makes the change, there is no asker: the actor is then empty. `unauthenticated` if the
/// credential is no longer valid; `forbidden` if the asker must be an administrator and is not one.
Result<Actor> check(sql::Connection& sql, const std::optional<Asker>& asker);
/// Must come first in a transaction that changes mounts (shares or connectors). If there is an
/// asker, bumps Generation::auth. Calls `check`, and returns its error or the actor. Then bumps
/// Generation::mounts.
Result<Actor> begin_change(sql::Connection& sql, const std::optional<Asker>& asker);

}  // namespace coffer::catalog
