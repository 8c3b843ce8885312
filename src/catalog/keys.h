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

/// The effect of a key's revocation on keys and links made with it, directly or through others.
enum class Made : std::uint8_t { stays, ends };
constexpr auto words_of(Made) {
  return enum_words<Made>({{Made::stays, "stays"}, {Made::ends, "ends"}});
}

/// The maximum number of an account's API keys. It keeps changes of all of them quick.
inline constexpr std::size_t kMostKeys = 10'000;

/// The API keys in the catalog. Safe from any thread. `within` limits a call to the keys whose
/// scope is this folder or lies below it; absent, the call concerns all keys of the account.
class Keys {
 public:
  explicit Keys(Database& database);
  ~Keys();

  /// Stores a new key. `exists` if the folder that it is limited to is being renamed, moved or
  /// deleted; `rate_limited` if the account has `most` keys already.
  Task<Result<Key>> create(NewKey key, std::size_t most = kMostKeys);
  /// Returns the account's keys by time of creation.
  Task<Result<std::vector<Key>>> list(AccountId account, std::optional<Path> within);
  /// Revokes a key. When it returns, no process accepts the key any more. With Made::ends and
  /// without `within`, the key may be revoked already: the keys that were made with it end.
  /// `not_found` for an id that is unknown, another account's, or not `within`.
  Task<Result<void>> revoke(AccountId account, KeyId id, std::optional<Path> within,
                            std::optional<Asker> asker = {}, Made made = Made::stays);

  /// Returns the cached grant of an active key; null if none is cached. Does not wait, so that I/O
  /// threads may call it.
  std::shared_ptr<const Grant> find_now(const SecretHash& hash);
  /// Returns the grant, from the cache or the catalog; `unauthenticated` if the key is unknown or
  /// revoked, or its account disabled.
  Task<Result<std::shared_ptr<const Grant>>> find(SecretHash hash);
  /// Records that the key was used now. The time is written within a minute, or by `flush_uses`.
  void note_use(const KeyId& id);
  /// Writes the recorded uses to the database.
  Task<Result<void>> flush_uses();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
