#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// An item that an operation changes, for the locks of others.
struct PlaceChange {
  enum class Kind : std::uint8_t {
    write,  ///< The item's content or properties change, or a new item gets the name.
    leave,  ///< The item goes from its name, with all that is in it.
  };
  ResolvedPath place;
  Kind kind = Kind::write;
};

inline PlaceChange write_of(const ResolvedPath& place) {
  return {place, PlaceChange::Kind::write};
}
inline PlaceChange leave_of(const ResolvedPath& place) {
  return {place, PlaceChange::Kind::leave};
}

/// The catalog's text for an item, by which locks find it whatever path leads to it (see
/// place_text), and for the tree that it is in: an account's own files, a connector, or the disks
/// of this machine.
struct LockPlace {
  std::string root;
  std::string text;
  /// The first folder above the item that is not there, or the item itself if all are: what a new
  /// item brings into the last folder that is there.
  std::string topmost_new;
};

/// Checks whether somebody has locked what is about to change (RFC 4918, section 7). Safe from any
/// thread.
class LockCheck {
 public:
  using Locks = std::vector<catalog::FileLock>;

  LockCheck(catalog::Catalog& catalog, Mounts& mounts)
      : locks_(catalog.file_locks()), accounts_(catalog.accounts()), mounts_(mounts) {}

  /// `locked` if another lock than those that the principal names (Principal::lock_tokens) is in
  /// the way of one of the changes: a lock of the item or of a folder above it that is deep; for an
  /// item that appears or goes, a lock of its folder; and for one that goes, any lock in it. Of
  /// shared locks of one item, one of the principal's own is enough. Only those count that the
  /// principal's account has. Locks that give way are in the way only where the principal may only
  /// add; those of accounts that may not write there any more, nowhere.
  Task<Result<void>> of(const Principal& principal, std::vector<PlaceChange> changes);
  /// The same, just before the changes: the locks that give way to them end.
  Task<Result<void>> pass(const Principal& principal, std::vector<PlaceChange> changes);

  /// Returns the locks of this very item that the account has and that give way.
  Task<Result<Locks>> giving_way(AccountId account, const ResolvedPath& place);
  /// True if the principal names one of these: it may complete what it is making there.
  Task<Result<bool>> may_complete(const Principal& principal, const ResolvedPath& place);

  /// Ends the locks at, above and below the item with this text whose accounts could not take them
  /// any more.
  Task<Result<void>> end_stale(AccountId account, const ResolvedPath& place, std::string text);

  /// Returns the locks of the tree that the item is in. Expired ones may be among them.
  Task<Result<catalog::FileLocks::Found>> in_tree_of(AccountId account, const ResolvedPath& place);
  /// Returns the texts for an item, which need not exist, nor its folder.
  Task<Result<LockPlace>> place_of(AccountId account, ResolvedPath place);

 private:
  /// Returns the locks that give way.
  Task<Result<Locks>> look(const Principal& principal, std::vector<PlaceChange> changes);
  Task<Result<Locks>> check(const Principal& principal, const PlaceChange& change,
                            const Locks& locks);

  /// Returns the text of the item at the top of a mount of the account.
  Task<Result<std::string>> text_of(AccountId account, const Mount& mount);
  /// True if the account that has the lock could take it now.
  Task<Result<bool>> may_take(const catalog::FileLock& lock);

  catalog::FileLocks& locks_;
  catalog::Accounts& accounts_;
  Mounts& mounts_;
};

}  // namespace coffer::core
