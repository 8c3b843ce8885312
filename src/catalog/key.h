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

/// The maximum number of makers that a key records.
inline constexpr std::size_t kMostMakers = 32;

struct Key {
  KeyId id;
  AccountId account;
  std::string name;            ///< The label.
  std::string preview;         ///< The secret's first characters.
  std::optional<Path> folder;  ///< The scope, from the account's root; absent: full access.
  Timestamp created_at{};
  std::optional<Timestamp> last_used_at;  ///< May lag by a minute.
  std::string change_id;  ///< The id of the ScopeChange that it is in transit for; empty if none.
  bool read_only = false;
  std::optional<Timestamp> expires_at;  ///< Absent: never.
  bool is_link = false;  ///< True for the key of a share link, which is not an API key.
  /// The chain of keys that led to this key, including revoked ones: first its maker, the key with
  /// which this key was made, then the maker's maker, and so on. At most kMostMakers: if the maker
  /// has as many makers, this key gets only these.
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

/// A key together with the account that it acts for, as authentication needs them.
struct Grant {
  Key key;
  Account account;
  Credential credential;
};

}  // namespace coffer::catalog
