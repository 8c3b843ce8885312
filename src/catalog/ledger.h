#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

/// An account's quota figures, in bytes.
struct Usage {
  std::uint64_t used_bytes = 0;      ///< Stored in the account's own files.
  std::uint64_t reserved_bytes = 0;  ///< Reserved for writes and uploads in progress.
  std::uint64_t limit_bytes = 0;     ///< 0: unlimited.
  std::int64_t version = 0;          ///< Increases with every change of the figures.
};

/// The quota ledger. Bytes are reserved before they are stored, and recorded as used afterwards.
/// `reserve` checks the limit and reserves in one update, so that concurrent calls cannot exceed
/// the limit. Safe from any thread and any number of processes. Concurrent calls share a
/// transaction. Most calls need no transaction: the ledger reserves some quota in advance, and
/// writes the used bytes to the database within a tenth of a second. `usage` and `correct` include
/// bytes that are not written yet. A limit that another process lowers counts for what is reserved
/// in advance after a tenth of a second, and at once for all else.
class Ledger {
 public:
  explicit Ledger(Database& database);
  ~Ledger();

  /// Reserves `bytes`; `over_quota` if the account's free quota is smaller.
  Task<Result<void>> reserve(AccountId account, std::uint64_t bytes);
  /// Reserves kFreeingBytes, regardless of the limit. Call it before bytes are freed: `correct`
  /// changes nothing until the caller releases the reservation with `record`.
  Task<Result<void>> reserve_to_free(AccountId account);
  static constexpr std::uint64_t kFreeingBytes = 1;
  /// Releases `reserved_bytes` and adds `used_delta` to the used bytes. `used_delta` is the number
  /// of bytes stored, at most `reserved_bytes`; it is negative if bytes were freed. If the database
  /// cannot be used, the change is written later, exactly once. The only error is `not_found`, if
  /// the account is unknown and `reserved_bytes` is 0.
  Task<Result<void>> record(AccountId account, std::uint64_t reserved_bytes,
                            std::int64_t used_delta);
  Task<Result<Usage>> usage(AccountId account);
  /// Returns the used bytes of all accounts together. The figure may be a tenth of a second old.
  Task<Result<std::uint64_t>> total_used_bytes();
  /// Sets the listener that is called, from any thread, after each call of `record` that changes
  /// the used bytes of an account. The listener must not block. Set it before the ledger is used.
  void on_used(std::function<void(AccountId)> listener);
  /// Sets the used bytes to `used_bytes`, the number counted on disk. `not_found` if the account is
  /// unknown. Returns false, and changes nothing, in two cases:
  /// - the account's Usage::version is no longer `version`;
  /// - bytes are reserved for anything except uploads that are `receiving` or `interrupted`.
  /// If it returns true, the account is counted (see `uncounted`), and what runs had reserved that
  /// crashed is free.
  Task<Result<bool>> correct(AccountId account, std::uint64_t used_bytes, std::int64_t version);

  /// Records the start of this server's run. A run is the time between a server's start and its
  /// stop. Ends the earlier runs, or, if several servers may use the catalog, those of the same
  /// data folder, whose id is `home` (for the others see RunWatch), and drops their reservations.
  /// Returns true if there were some, which did not stop cleanly: then used bytes may be wrong (see
  /// `uncounted`). On PostgreSQL, all writes of this server fail after another server has ended
  /// this run. `exists` if a server runs on a copy of the data folder. For `partial_tag` see
  /// Tasks::of_ended_runs.
  Task<Result<bool>> begin_run(std::string partial_tag = {}, std::string home = {});
  /// Returns the accounts whose used bytes may be wrong: `correct` has not succeeded for them since
  /// a run did not stop cleanly.
  Task<Result<std::vector<AccountId>>> uncounted();
  /// Records that the run has stopped cleanly. Call it after the last call of `record`.
  Task<Result<void>> end_run();
  /// Returns the id of this run. The database stores the run's reservations under this id.
  const std::string& node() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
