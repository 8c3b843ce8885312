#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/id.h"
#include "catalog/credential.h"

namespace coffer::catalog {

enum class Role : std::uint8_t { user, admin };
constexpr auto words_of(Role) {
  return enum_words<Role>({{Role::user, "user"}, {Role::admin, "admin"}});
}
constexpr std::string_view to_string(Role role) {
  return word_of(role);
}

/// Where own files lie: in the folder `files` of a data folder, or in a store of objects, with
/// their names in the catalog.
enum class HomeStore : std::uint8_t { files, objects };
constexpr auto words_of(HomeStore) {
  return enum_words<HomeStore>({{HomeStore::files, "files"}, {HomeStore::objects, "objects"}});
}

struct Account {
  AccountId id;
  std::string name;  ///< Unique.
  std::string display_name;
  Role role = Role::user;
  bool disabled = false;
  std::uint64_t quota_bytes = 0;  ///< 0: unlimited.
  std::string password_hash;      ///< Empty: the account has no password.
  Timestamp created_at{};
  std::string home;                ///< The name of the account's folder on disk; never reused.
  std::string preferences = "{}";  ///< A JSON object for the account's clients.
  /// Where the own files lie; absent: where those of all accounts did that are as old.
  std::optional<HomeStore> home_store = {};
};

struct NewAccount {
  std::string name;
  std::string display_name;
  Role role = Role::user;
  std::uint64_t quota_bytes = 0;
  std::string password_hash;
  std::optional<Asker> asker = {};
  std::optional<HomeStore> home_store = {};
};

}  // namespace coffer::catalog
