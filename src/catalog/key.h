#pragma once

#include <cstddef>
#include <cstdint>
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

/// What a key is for. The catalog stores the number.
enum class KeyKind : std::uint8_t {
  api_key = 0,
  link = 1,         ///< The key of a share link: its secret opens the link, and no interface.
  person_share = 2  ///< The key of a PersonShare: nobody has its secret.
};

struct Key {
  KeyId id;
  AccountId account;
  std::string name;     ///< The label.
  std::string preview;  ///< The secret's first characters.
  /// The key's scope: the path that it is limited to, from the account's root; absent: no limit.
  std::optional<Path> folder;
  Timestamp created_at{};
  std::optional<Timestamp> last_used_at;  ///< May lag by a minute.
  std::string change_id;  ///< The id of a ScopeChange in progress for the folder; else empty.
  bool read_only = false;
  std::optional<Timestamp> expires_at;  ///< Absent: never.
  KeyKind kind = KeyKind::api_key;
  /// The keys from which this key descends, including revoked ones: first its maker (the key that
  /// was used to make it), then the maker of its maker, and so on. If the maker's own list has
  /// kMostMakers keys already, this list is a copy of that list, without the maker.
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
