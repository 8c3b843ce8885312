#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"
#include "catalog/keys.h"
#include "catalog/person_share.h"

namespace coffer::catalog {

class Database;

/// Whom an account may share with and find by name.
enum class Acquaintance : std::uint8_t {
  all,        ///< All accounts and groups.
  own_groups  ///< The groups that it is a member of, and their members.
};
constexpr auto words_of(Acquaintance) {
  return enum_words<Acquaintance>(
      {{Acquaintance::all, "all"}, {Acquaintance::own_groups, "groups"}});
}

/// A share with those that it is for, sorted; for its owner.
struct GivenShare {
  PersonShare share;
  std::vector<Receiver> receivers;
};

/// One of the ways by which an account receives an item.
struct ReceivedWay {
  AccountId owner;
  Path item;  ///< From the owner's root.
  ShareAccess access = ShareAccess::read;
  std::optional<Timestamp> expires_at;
  Receiver receiver;  ///< The account itself, or a group that it is in.
};

struct NewPersonShare {
  NewKey key;  ///< `account` is the owner, `folder` the item, `hash` that of no secret.
  bool is_folder = false;
  ShareAccess access = ShareAccess::read;
  std::vector<Receiver> receivers;  ///< Found by kind and name.
  Acquaintance among = Acquaintance::all;
};

/// A change of a share. Absent fields do not change.
struct PersonShareChange {
  std::optional<ShareAccess> access;
  std::optional<std::vector<Receiver>> receivers;  ///< The new list.
  Acquaintance among = Acquaintance::all;          ///< For receivers that are new.
  std::optional<Asker> asker;
};

/// The shares of accounts with each other. What an account receives is among its mounts
/// (CachedMounts). Safe from any thread. Changes take effect with the next request, in every
/// process that uses the catalog.
class PeopleShares {
 public:
  explicit PeopleShares(Database& database) : database_(database) {}

  /// Adds a share. Errors:
  /// - `conflict` if the item is being renamed, moved or deleted;
  /// - `rate_limited` if the account has kMostPersonShares;
  /// - `not_found` for a receiver that is unknown, disabled, or not `among` those it may share
  /// with;
  /// - `invalid` if the owner is to receive it, or there are no receivers or over kMostReceivers.
  Task<Result<GivenShare>> create(NewPersonShare share);
  /// Returns the shares that the account has given, the oldest first.
  Task<Result<std::vector<GivenShare>>> list(AccountId owner);
  /// Returns a share that the account has given; `not_found` if there is none.
  Task<Result<GivenShare>> find(AccountId owner, ShareId id);
  /// Returns how the account receives what others share with it: itself first, then by groups.
  Task<Result<std::vector<ReceivedWay>>> ways_to(AccountId account);
  /// Returns true if the share exists, whoever gave it.
  Task<Result<bool>> exists(ShareId id);
  /// Changes a share that the account has given. Fails as `find` and `create` do.
  Task<Result<GivenShare>> change(AccountId owner, ShareId id, PersonShareChange change);
  /// Ends a share: for all if the account has given it; if the account receives it, this share and
  /// the others of the item for the account alone, and those end that it alone received.
  /// `not_found` if it does neither.
  Task<Result<void>> end(AccountId account, ShareId id, std::optional<Asker> asker);

  /// Returns up to `most` accounts and groups whose name or display name has a word that begins
  /// with the text, whatever its case and accents; those whose own name does come first. Disabled
  /// accounts and `account` itself are left out.
  Task<Result<std::vector<Receiver>>> search(AccountId account, std::string text,
                                             Acquaintance among, std::size_t most);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
