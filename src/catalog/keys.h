#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/credential.h"
#include "catalog/key.h"

namespace coffer::catalog {

class Database;

/// The choice when a key is revoked: the keys and links that were made with it (see Key::makers)
/// either stay valid or end too.
enum class Made : std::uint8_t { stays, ends };
constexpr auto words_of(Made) {
  return enum_words<Made>({{Made::stays, "stays"}, {Made::ends, "ends"}});
}

/// The most API keys that an account may have. The limit keeps operations on all its keys quick.
inline constexpr std::size_t kMostKeys = 10'000;

/// The API keys in the catalog. Safe from any thread. The parameter `within` limits a call to the
/// keys whose folder is `within` or lies below it. If `within` is absent, the call concerns all
/// keys of the account.
class Keys {
 public:
  explicit Keys(Database& database);
  ~Keys();

  /// Stores a new key. `conflict` if the folder that the key is limited to is being renamed, moved
  /// or deleted; `rate_limited` if the account has `most` keys already.
  Task<Result<Key>> create(NewKey key, std::size_t most = kMostKeys);
  /// Returns the account's keys, sorted by time of creation.
  Task<Result<std::vector<Key>>> list(AccountId account, std::optional<Path> within);
  /// Revokes a key. When the call returns, no process accepts the key any more. With Made::ends,
  /// also ends the keys and links that have it among their makers. Without `within`, also ends them
  /// if the key itself was revoked earlier. `not_found` if no key or link ended.
  Task<Result<void>> revoke(AccountId account, KeyId id, std::optional<Path> within,
                            std::optional<Asker> asker = {}, Made made = Made::stays);

  /// Returns the cached grant of a key; null if none is cached. Does not wait for the database: I/O
  /// threads may call it.
  std::shared_ptr<const Grant> find_now(const SecretHash& hash);
  /// Returns the grant of a key, from the cache or the database. Does not check whether the key has
  /// expired. `unauthenticated` if the key is unknown or revoked, or if its account is disabled.
  Task<Result<std::shared_ptr<const Grant>>> find(SecretHash hash);
  /// Deletes the keys and links that expired before `time`, of all accounts.
  Task<Result<void>> forget_expired(Timestamp time);
  /// Records that the key was used now. The database gets this within a minute, or by `flush_uses`.
  void note_use(const KeyId& id);
  Task<Result<void>> flush_uses();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
