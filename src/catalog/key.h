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
  std::string name;            ///< The label.
  std::string preview;         ///< The secret's first characters.
  std::optional<Path> folder;  ///< The scope, from the account's root; absent: full access.
  Timestamp created_at{};
  std::optional<Timestamp> last_used_at;  ///< May lag by a minute.
  std::string change_id;  ///< Of the ScopeChange that it is in transit for; empty: of none.
  bool read_only = false;
  std::optional<Timestamp> expires_at;  ///< Absent: never.
  bool is_link = false;                 ///< It is a share link's, and opens nothing as a key.
  /// The key that asked for it, the one that asked for that, and so on, also those that are gone.
  /// No more than kMostMakers: what is made with a key that has as many counts as made with its
  /// maker.
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
