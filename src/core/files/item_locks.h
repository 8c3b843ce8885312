#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/lock_check.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// The locks that concern a folder and what is in it, or a file.
class LocksAround {
 public:
  LocksAround() = default;
  /// `place` is the text of the folder or file, `locks` are those of its tree. In the location of a
  /// file that is shared alone, `is_one_file`, all is that file.
  LocksAround(std::string place, const LockCheck::Locks& locks, bool is_one_file = false);

  /// Returns the locks that the item has by itself and by folders above it. `name` is that of an
  /// item in the folder; empty for the folder, or file, itself.
  std::vector<catalog::FileLock> of(std::string_view name = {}) const;
  /// Returns how many folders the locked item is above the item that is asked for.
  std::size_t levels_above(const catalog::FileLock& lock, std::string_view name = {}) const;
  /// Returns about how many bytes an answer takes for those locks that each item in the folder has.
  std::size_t bytes_for_each() const;

 private:
  std::string text_of(std::string_view name) const;

  std::string place_;  ///< Set if there are locks.
  LockCheck::Locks locks_;
  bool is_one_file_ = false;
};

/// A lock as a principal sees it.
struct SeenLock {
  catalog::FileLock lock;
  std::optional<Path> item;  ///< From the principal's root; nullopt for one that is not below it.
  bool may_end = false;      ///< The principal may end it (see ItemLocks::end).
};

/// The locks that clients take (RFC 4918, section 6). They hold for all interfaces (see LockCheck).
/// Safe from any thread.
class ItemLocks {
 public:
  static constexpr std::chrono::seconds kShortest{60};
  static constexpr std::chrono::seconds kLongest{3'600};

  ItemLocks(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
            AccessRecheck& access_recheck)
      : locks_(catalog.file_locks()), namespace_(homes, mounts), access_recheck_(access_recheck) {}

  struct Wanted {
    bool is_deep = false;
    bool is_shared = false;
    std::string owner = {};
    std::chrono::seconds lasts{};  ///< Becomes kShortest or kLongest if it is beyond these.
  };
  struct Taken {
    catalog::FileLock lock;
    /// The principal may only add there and the name was free: if somebody else makes the item, the
    /// lock must be released.
    bool is_for_new = false;
  };
  /// Locks an item, which need not exist, in a folder that does. Where the principal may only add,
  /// the name must be free, or the item noted by `note_made`; then the lock gives way. Fails as
  /// catalog::FileLocks::take does, `forbidden` if the principal may not write there, `invalid` if
  /// Wanted::owner is too long.
  Task<Result<Taken>> take(const Principal& principal, const Path& item, Wanted wanted);
  /// Notes for kShortest that the principal has made the empty file in this version, so that it may
  /// lock and complete it where it may only add. Does nothing elsewhere, nor if it has changed.
  Task<Result<void>> note_made(const Principal& principal, const Path& file,
                               storage::FileVersion version);
  /// Makes a lock last so long from now on. `not_found` if the account has no such lock of the
  /// item, `forbidden` if the principal may not write there (any more).
  Task<Result<catalog::FileLock>> refresh(const Principal& principal, const Path& item,
                                          std::string token, std::chrono::seconds lasts);
  /// Ends a lock, also one of an item that the principal may only read. `not_found` as above.
  Task<Result<void>> release(const Principal& principal, const Path& item, std::string token);
  /// Ends the locks of an item that is gone, and of what was in it.
  Task<Result<void>> forget(const Principal& principal, const Path& item);
  /// Checks early what will be checked when the item is changed: `locked` if a lock of others is in
  /// the way, `forbidden` if the principal may not write there.
  Task<Result<void>> check(const Principal& principal, const Path& item, PlaceChange::Kind change);
  /// Returns the locks that concern an item, or a folder and all directly in it.
  Task<Result<LocksAround>> around(const Principal& principal, const Path& item);

  /// Returns the locks that concern a mount, in a listing of the root. Asks neither a shared
  /// folder's disk nor a server.
  Task<Result<LocksAround>> around_mount(const Principal& principal, const Mount& mount);

  /// Returns the locks that keep an item from being changed or moved: its own, deep ones of folders
  /// above it, and those in it, at most kMostSeen. Fails as Backend::stat for the item.
  Task<Result<std::vector<SeenLock>>> list(const Principal& principal, const Path& item);
  /// Ends a lock: of the principal's account, of one of its own files, or any as an administrator.
  /// A lock of another account is recorded as broken. `forbidden` for others, and for a lock
  /// outside of the principal's folder; `not_found` if there is none.
  Task<Result<void>> end(const Principal& principal, std::string token);

  static constexpr std::size_t kMostSeen = 1'000;

 private:
  Task<Result<catalog::FileLock>> new_lock(const Principal& principal, ResolvedPath place,
                                           Wanted wanted);
  Task<Result<std::string>> scope_of(const Principal& principal);
  /// Returns the lock of the item with this token, which is the account's.
  Task<Result<catalog::FileLock>> find_own(const Principal& principal, const Path& item,
                                           const std::string& token);

  catalog::FileLocks& locks_;
  const Namespace namespace_;
  AccessRecheck& access_recheck_;
};

}  // namespace coffer::core
