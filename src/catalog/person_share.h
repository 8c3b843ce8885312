#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/account.h"

namespace coffer::catalog {

/// What receivers of a share may do.
enum class ShareAccess : std::uint8_t {
  read,
  add,  ///< Read, and add files and folders, but neither change nor delete any.
  write
};
constexpr auto words_of(ShareAccess) {
  using enum ShareAccess;
  return enum_words<ShareAccess>({{read, "read"}, {add, "add"}, {write, "write"}});
}

/// A file or folder of an account's own files that the account shares with others. The catalog
/// keeps owner and item as those of a key, so that the share follows its item as keys do
/// (ScopeChanges). For receivers it is a mount, like a Share.
struct PersonShare {
  ShareId id;
  std::shared_ptr<const Account> owner;  ///< Never null.
  Path item;                             ///< From the owner's root.
  bool is_folder = false;
  ShareAccess access = ShareAccess::read;
  Timestamp created_at{};
  std::optional<Timestamp> expires_at;  ///< The end of the key that made it, if that ends.
  bool is_in_transit = false;  ///< The item is being renamed, moved or deleted (ScopeChanges).
};

/// Returns the name of the share's owner for people.
inline const std::string& owner_name(const PersonShare& share) {
  const Account& owner = *share.owner;
  return owner.display_name.empty() ? owner.name : owner.display_name;
}

/// An account or group that a share is for.
struct Receiver {
  enum class Kind : std::uint8_t { account, group };
  Kind kind = Kind::account;
  std::string name;
  std::string display_name = {};  ///< Of a group, its name.

  bool operator==(const Receiver&) const = default;
};

}  // namespace coffer::catalog
