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

/// The most makers that a key records.
inline constexpr std::size_t kMostMakers = 32;

struct Key {
  KeyId id;
  AccountId account;
  std::string name;            ///< The label.
  std::string preview;         ///< The secret's first characters.
  std::optional<Path> folder;  ///< The scope, from the account's root; absent: full access.
  Timestamp created_at{};
  std::optional<Timestamp> last_used_at;  ///< May lag by a minute.
  std::string change_id;  ///< The ScopeChange that it is in transit for; empty if none.
  bool read_only = false;
  std::optional<Timestamp> expires_at;  ///< Absent: never.
  bool is_link = false;                 ///< It belongs to a share link and is no API key.
  /// The key that this one was made with, the key that that one was made with, and so on, including
  /// revoked ones. At most kMostMakers: keys made with a key that has as many get its makers.
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
