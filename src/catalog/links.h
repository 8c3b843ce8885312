#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"
#include "catalog/keys.h"
#include "catalog/link_charges.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;

/// The rights that a link gives to guests.
enum class LinkMode : std::uint8_t {
  read,
  upload  ///< Guests may add files to a folder, but cannot see the folder's content.
};
constexpr auto words_of(LinkMode) {
  return enum_words<LinkMode>({{LinkMode::read, "read"}, {LinkMode::upload, "upload"}});
}

/// A share link. The catalog stores it as a key: the link's token is the secret of the key, and
/// `key.folder` is the path of the shared item, which may be a file. All rules of keys apply to the
/// link.
struct Link {
  Key key;
  LinkMode mode = LinkMode::read;
  bool is_folder = false;
  std::string sealed_token;   ///< The token, encrypted, so that the owner can see the link again.
  std::string password_hash;  ///< Empty: guests need no password.
  std::optional<std::uint64_t> most_downloads;
  std::uint64_t downloads = 0;
};

/// A link that a receiver made in what an account shares.
struct LinkInShare {
  Link link;          ///< `key.folder` is the item's path from the root of the account that shares.
  std::string maker;  ///< The name for people of the account that made it.
};

struct NewLink {
  NewKey key;
  LinkMode mode = LinkMode::read;
  bool is_folder = false;
  std::string sealed_token;
  std::string password_hash = {};
  std::optional<std::uint64_t> most_downloads = {};
};

inline constexpr std::size_t kMostLinksInShares = 1'000;

/// The share links in the catalog. Safe from any thread.
class Links {
 public:
  explicit Links(Database& database) : database_(database) {}

  /// Stores a new link. `conflict` if the shared item is being renamed, moved or deleted;
  /// `rate_limited` if the account has `most` links already.
  Task<Result<Link>> create(NewLink link, std::size_t most);
  /// Returns the account's links, sorted by time of creation.
  Task<Result<std::vector<Link>>> list(AccountId account);
  /// Returns the links that others made in what the account shares, and whose makers still receive
  /// it, sorted by time of creation, at most kMostLinksInShares.
  Task<Result<std::vector<LinkInShare>>> list_in_shares_of(AccountId owner);
  /// Returns a link of any account; `not_found` for an unknown id.
  Task<Result<Link>> get(Turn turn, KeyId id);
  /// Ends a link: when the call returns, no process accepts the link any more. `not_found` if the
  /// account has no link with this id, and shares nothing that such a link is in.
  Task<Result<void>> end(AccountId account, KeyId id, std::optional<Asker> asker);
  /// Counts a download, as of an archive. Returns false if `most_downloads` was reached before or
  /// the link has ended. On SQLite a power failure may undo the last calls, and those of `charge`.
  Task<Result<bool>> count_download(Turn turn, KeyId id);
  /// Charges bytes of a file (see charge_download). Returns false if the link gives no more.
  Task<Result<bool>> charge(Turn turn, LinkCharge charge);
  /// Deletes what guests have left of files of which they took nothing since `before`.
  Task<Result<void>> drop_visits(Timestamp before);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
