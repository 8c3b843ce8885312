#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// A lock of a file or folder (RFC 4918, section 6): others may not change the item while it lasts.
struct FileLock {
  std::string token;  ///< An address, such as `urn:uuid:...`, that the lock is named by.
  std::string
      root;  ///< The tree that the item is in. Locks of other trees have nothing to do with it.
  std::string place;  ///< The item. The text of what is in a folder begins with that of it and `/`.
  AccountId account;  ///< The account that has the lock.
  std::string account_name;  ///< Its name, for others to know whom to ask.
  std::string key;           ///< The id of the key that was used; may be empty.
  bool is_deep = false;      ///< Locks all that is in the folder, too.
  bool is_shared = false;    ///< Others may have shared locks of the item, too.
  /// Taken where the account may only add, of an item that it makes. It lets the account complete
  /// the item, and ends when somebody who may change the item does so.
  bool gives_way = false;
  std::string owner;  ///< What the client says of the owner: an XML element, or empty.
  Timestamp created_at{};
  Timestamp expires_at{};

  bool operator==(const FileLock&) const = default;
};

/// Returns true if the text `place` is that of the folder or of something in it.
bool is_place_within(std::string_view place, std::string_view folder);
/// Returns true if the lock is one of the item `place`, itself or by a folder above.
bool covers(const FileLock& lock, std::string_view place);

/// The longest FileLock::owner.
inline constexpr std::size_t kMostLockOwnerBytes = 1'024;

/// The locks of files and folders in the catalog. Those of a tree are cached, as rights are, so
/// that a look where nothing is locked costs nothing; with several servers the row decides. Locks
/// outlive a restart. Safe from any thread. Expired locks may be among those that are found.
class FileLocks {
 public:
  explicit FileLocks(Database& database);
  ~FileLocks();

  using Found = std::shared_ptr<const std::vector<FileLock>>;
  /// Returns the locks of a tree from the cache; null if they are not cached. Does not wait.
  Found find_now(const std::string& root);
  /// Returns the locks of a tree, from the cache or the database.
  Task<Result<Found>> find(std::string root);

  /// Takes a lock. `locked` if another one is in its way: of the same item, of a folder above that
  /// is deep, or, if this one is deep, of something below; two shared ones are in no one's way.
  /// Those that give way end instead; for one that gives way too, only a shared one of its account.
  /// `rate_limited` if the account has kMostLocks, or the item kMostLocksOfItem.
  Task<Result<void>> take(FileLock lock);
  /// Makes a lock of the account last until `expires_at`, and returns it. `not_found` if the
  /// account has no such lock, or it has expired.
  Task<Result<FileLock>> refresh(AccountId account, std::string token, Timestamp expires_at);
  /// Ends a lock of the account. `not_found` as above.
  Task<Result<void>> release(AccountId account, std::string token);
  /// Returns the lock with this token; `not_found` if there is none, or it has expired.
  Task<Result<FileLock>> find_by_token(std::string token);
  /// Ends the lock of another account, and records that in the audit log; `where` is the place for
  /// people. `not_found` if the lock has ended; otherwise the errors of `check(sql, asker)`.
  Task<Result<void>> break_lock(AccountId by, FileLock lock, std::string where,
                                std::optional<Asker> asker);
  /// Ends the locks, whoever has them.
  Task<Result<void>> end(std::vector<FileLock> locks);
  /// Ends all locks of an item that is gone, and of what was in it.
  Task<Result<void>> forget(std::string root, std::string place);
  /// Deletes the locks of all accounts that have expired.
  Task<Result<void>> forget_expired();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
