#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/ledger.h"
#include "core/accounts/account_bytes.h"
#include "core/accounts/mount_room.h"
#include "core/namespace/mounts.h"
#include "core/tasks/background.h"
#include "storage/backend.h"

namespace coffer::core {

/// Frees space when an account's quota is full: see VersionKeeper and BinKeeper. Safe from any
/// thread.
class QuotaRelief {
 public:
  virtual ~QuotaRelief() = default;
  /// Returns how many bytes could be freed.
  virtual Task<std::uint64_t> freeable_bytes(AccountId account) = 0;
  /// Frees space until `bytes` more bytes fit. Returns true if any space was freed. Frees nothing
  /// if `freeable_bytes` do not suffice.
  virtual Task<bool> free_up(AccountId account, std::uint64_t bytes) = 0;
  /// Does the same by removing versions of files alone, and frees up to `ahead_bytes` more, as far
  /// as there are versions.
  virtual Task<bool> free_versions(AccountId /*account*/, std::uint64_t /*bytes*/,
                                   std::uint64_t /*ahead_bytes*/) {
    co_return false;
  }
};

/// Knows whether the figures in the ledger are right. Safe from any thread.
class CountedFigures {
 public:
  virtual ~CountedFigures() = default;
  /// Waits until the account's used bytes are right. Returns at once for most accounts.
  /// `overloaded` if it takes too long.
  virtual Task<Result<void>> settled(AccountId account) = 0;
  /// True until then. Does not wait.
  virtual bool is_unsure(AccountId account) const = 0;
};

/// The services that reservations need.
struct Quota {
  catalog::Ledger& ledger;
  Background& background;
  QuotaRelief& relief;
  AccountBytes& loans;  ///< See Reservation::lend_to.
  MountRoom& mount_room;
  CountedFigures* figures = nullptr;  ///< Null: the figures of all accounts are right.
};

/// Waits until the figures of an account with a limit are right, so that no byte is reserved on
/// wrong ones. Fails as CountedFigures::settled does.
Task<Result<void>> wait_until_counted(const Quota& quota, const catalog::Account& account);

/// Quota that is reserved for one operation. The destructor releases the bytes that were not
/// committed, in the background. For a location without a quota, the account is null, and the
/// reservation is unlimited. Not safe for concurrent calls.
class Reservation {
 public:
  using AccountPtr = std::shared_ptr<const catalog::Account>;
  Reservation(const Quota& quota, AccountPtr account);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Returns how many bytes are reserved so far; the largest number if it is unlimited.
  std::uint64_t bytes() const;
  /// Grows the reservation to at least `bytes` in total. Frees space if that is necessary (see
  /// QuotaRelief). `over_quota` if the bytes do not fit; then the reservation does not change.
  Task<Result<void>> grow_to(std::uint64_t bytes);
  /// Grows the reservation to at least `bytes` in total, without freeing space. `over_quota` if the
  /// bytes do not fit; then the reservation does not change.
  Task<Result<void>> try_grow_to(std::uint64_t bytes);
  /// Does the same, but removes versions of files if that makes enough room. Then up to
  /// `ahead_bytes` more are reserved, for which versions are removed too: each removal keeps other
  /// writes of the account waiting.
  Task<Result<void>> grow_over_versions_to(std::uint64_t bytes, std::uint64_t ahead_bytes);
  /// Covers at least `bytes` more than are reserved, on the files that will be replaced: no quota
  /// is left for them until then. All loans of an account together are at most its used bytes, as
  /// are those of its unfinished uploads (ADR 26); `over_quota` if that is too little. The loan is
  /// given back at the end of the reservation.
  Task<Result<void>> lend_to(std::uint64_t bytes);
  /// Returns how many bytes may be stored: those that are reserved and those that are lent.
  std::uint64_t covered_bytes() const;
  /// Adds bytes that the caller has already reserved in the ledger.
  void add_reserved(std::uint64_t bytes);
  /// Returns the number of reserved bytes and forgets them: the caller must release them instead.
  std::uint64_t release();
  /// Prevents `recount` from correcting the ledger until this reservation ends. Call it for
  /// operations that reserve no bytes, such as deletions. Never fails with `over_quota`.
  Task<Result<void>> hold();
  /// Returns the size that the reservation could grow to now, including bytes that can be freed.
  Task<Result<std::uint64_t>> available();
  /// Ends the reservation and records that `used_delta` bytes were stored, or freed if negative.
  /// `used_delta` is at most `bytes()`.
  Task<Result<void>> commit(std::int64_t used_delta);

 private:
  void give_back_loan();

  const Quota quota_;
  const AccountPtr account_;  ///< Null: unlimited.
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;  ///< Reserved by `hold`.
  std::uint64_t lent_bytes_ = 0;
};

/// Fails with `disk_full` if the backend's file system is known to be smaller than `bytes`.
Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes);

struct Recount {
  std::uint64_t counted_bytes = 0;   ///< The size of the account's files, with the bin.
  std::uint64_t recorded_bytes = 0;  ///< The number in the ledger before the recount.
  /// False if concurrent writes prevented every try, or if the files were moved to another store
  /// meanwhile. Then the ledger was not corrected.
  bool settled = true;
};

/// Returns the backend of an account's own files. If their folder is missing, creates it; but fails
/// with `not_found` if the ledger has used bytes for the account, since files are missing then.
Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account);

/// Counts the bytes of an account's own files and corrects the ledger. Tries again a few times if
/// concurrent writes prevent this. Fails as `open_home` does, without a correction; `not_found` if
/// there is no such account.
Task<Result<Recount>> recount(catalog::Catalog& catalog, HomeDirectories& homes, AccountId id);

}  // namespace coffer::core
