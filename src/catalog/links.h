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

namespace coffer::catalog {

class Database;

/// The rights of guests by a link.
enum class LinkMode : std::uint8_t {
  read,
  upload  ///< Guests add files to a folder and cannot see its content.
};
constexpr auto words_of(LinkMode) {
  return enum_words<LinkMode>({{LinkMode::read, "read"}, {LinkMode::upload, "upload"}});
}

/// A share link. Its key has the hash of the link's token as its hash, and the item, which may be a
/// file, as its folder. All rules of keys apply to it.
struct Link {
  Key key;
  LinkMode mode = LinkMode::read;
  bool is_folder = false;
  std::string sealed_token;   ///< The token, sealed, for the account that made the link.
  std::string password_hash;  ///< Empty: no password is needed.
  std::optional<std::uint64_t> most_downloads;
  std::uint64_t downloads = 0;
};

struct NewLink {
  NewKey key;
  LinkMode mode = LinkMode::read;
  bool is_folder = false;
  std::string sealed_token;
  std::string password_hash = {};
  std::optional<std::uint64_t> most_downloads = {};
};

/// The share links in the catalog. Safe from any thread.
class Links {
 public:
  explicit Links(Database& database) : database_(database) {}

  /// `exists` if the item is being renamed, moved or deleted; `rate_limited` if the account has
  /// `most` links.
  Task<Result<Link>> create(NewLink link, std::size_t most);
  /// Returns the account's links by time of creation.
  Task<Result<std::vector<Link>>> list(AccountId account);
  /// `not_found` for an id that is unknown.
  Task<Result<Link>> get(KeyId id);
  /// `not_found` for an id that is unknown or another account's. When it returns, no process
  /// accepts the link any more.
  Task<Result<void>> end(AccountId account, KeyId id, std::optional<Asker> asker);
  /// Counts a download. Returns false, and counts nothing, if the most downloads are reached.
  Task<Result<bool>> count_download(KeyId id);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
