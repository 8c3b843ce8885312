#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/account.h"
#include "catalog/credential.h"

namespace coffer::catalog {

inline constexpr std::size_t kMostMakers = 32;

struct Key {
  KeyId id;
  AccountId account;
  std::string name;     ///< The label.
  std::string preview;  ///< The secret's first characters.
  /// The key's scope: the folder that it is limited to, from the account's root; absent: no limit.
  std::optional<Path> folder;
  Timestamp created_at{};
  std::optional<Timestamp> last_used_at;  ///< May lag by a minute.
  std::string change_id;  ///< The ScopeChange that changes the key's folder now; empty if none.
  bool read_only = false;
  std::optional<Timestamp> expires_at;  ///< Absent: never.
  bool is_link = false;  ///< True for the key of a share link, which is not an API key.
  /// The chain of keys that led to this key, even if they were revoked. The first is this key's
  /// maker, the key with which it was made; the second is the maker of the first, and so on. If the
  /// maker has kMostMakers makers already, this key gets the same makers, without its own maker.
  std::vector<KeyId> makers;
};

struct NewKey {
  AccountId account;
  std::string name;
  std::string preview;
  std::optional<Path> folder;
  SecretHash hash{};
  bool read_only = false;
  std::optional<Timestamp> expires_at = {};
  std::optional<Asker> asker = {};
};

/// The result of authentication with a key: the key, and the account that it acts for.
struct Grant {
  Key key;
  Account account;
  Credential credential;
};

}  // namespace coffer::catalog
