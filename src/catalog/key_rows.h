#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/id.h"
#include "catalog/key.h"
#include "sql/table.h"

namespace coffer::catalog {

/// An empty text is NULL.
struct EmptyIsNull {
  static sql::Value to(const std::string& text) { return text.empty() ? sql::Value() : text; }
  static std::string from(const sql::Value& value) {
    return sql::Codec<std::optional<std::string>>::from(value).value_or("");
  }
};

/// `rate_limited` if the account already has `most` keys of the kind.
Result<void> check_count(sql::Connection& sql, AccountId account, KeyKind kind, std::size_t most);

struct AddedKey {
  Key key;
  std::string owner;  ///< The account's name.
};

/// Inserts a key. If the asker used a key that expires, the new key expires no later than that key.
/// Call it in a writing transaction that has bumped the generation `auth`. `conflict` if the folder
/// that the new key is limited to is being renamed, moved or deleted; `not_found` if the account is
/// unknown.
Result<AddedKey> add_key(sql::Connection& sql, const NewKey& key, KeyKind kind);

}  // namespace coffer::catalog

namespace coffer::sql {

/// The makers of a key (see Key::makers): their ids with a space between; NULL if there are none.
template <>
struct Codec<std::vector<KeyId>> {
  static Value to(const std::vector<KeyId>& makers);
  static std::vector<KeyId> from(const Value& value);
};

template <>
struct Codec<catalog::KeyKind> {
  static Value to(catalog::KeyKind kind) { return static_cast<std::int64_t>(kind); }
  static catalog::KeyKind from(const Value& value) {
    return static_cast<catalog::KeyKind>(Codec<std::int64_t>::from(value));
  }
};

template <>
struct Table<catalog::Key> {
  static constexpr std::string_view kName = "api_keys";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &catalog::Key::id},
      Column{"account_id", &catalog::Key::account},
      Column{"name", &catalog::Key::name},
      Column{"preview", &catalog::Key::preview},
      Column{"scope", &catalog::Key::folder},
      Column{"created_at", &catalog::Key::created_at},
      Column{"last_used_at", &catalog::Key::last_used_at},
      Column{"change_id", &catalog::Key::change_id, catalog::EmptyIsNull()},
      Column{"read_only", &catalog::Key::read_only},
      Column{"expires_at", &catalog::Key::expires_at},
      Column{"is_link", &catalog::Key::kind},
      Column{"makers", &catalog::Key::makers},
  };
};

}  // namespace coffer::sql
