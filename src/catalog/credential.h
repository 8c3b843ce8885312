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

/// The caller who asks for a change. The change's transaction bumps the generation `auth` and then
/// checks the credential again, so that a revocation comes either before or after the change.
struct Asker {
  Credential credential;
  bool must_be_admin = false;
  std::string address = {};  ///< The client's address.
};

/// The author of an event in the audit log.
struct Actor {
  std::string name =
      {};  ///< The account's name; empty for the command line and for unknown people.
  std::string address = {};     ///< The client's address.
  std::string key_id = {};      ///< The key that was used, if any.
  std::string session_id = {};  ///< The session that was used, if any.
};

/// Checks an asker and returns it as an actor. Without an asker, when the server or the command
/// line makes the change, the actor is empty. `unauthenticated` if the credential is no longer
/// valid, `forbidden` if the asker must be an administrator and is not one.
Result<Actor> check(soci::session& sql, const std::optional<Asker>& asker);
/// Begins a change of mounts and returns its actor. If there is an asker, bumps the generation
/// `auth` and checks the asker as `check` does. Then bumps the generation `mounts`.
Result<Actor> begin_change(soci::session& sql, const std::optional<Asker>& asker);

}  // namespace coffer::catalog
