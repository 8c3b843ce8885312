#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

/// An account's quota figures, in bytes.
struct Usage {
  std::uint64_t used_bytes = 0;      ///< Stored in the account's own files.
  std::uint64_t reserved_bytes = 0;  ///< For writes and uploads in progress.
  std::uint64_t limit_bytes = 0;     ///< 0: unlimited.
  std::int64_t version = 0;          ///< Increases with every change.
};

/// The quota ledger. Bytes are reserved before they are stored, and recorded as used afterwards.
/// `reserve` checks the limit and reserves in one update, so that concurrent calls cannot exceed
/// it. Safe from any thread and any number of processes. Concurrent calls share a transaction. On
/// SQLite most calls need no transaction: the ledger reserves some quota ahead and writes the used
/// bytes within a tenth of a second. `usage` and `correct` include bytes that are not written yet.
class Ledger {
 public:
  explicit Ledger(Database& database);
  ~Ledger();

  /// Reserves `bytes`; `over_quota` if they exceed the free quota.
  Task<Result<void>> reserve(AccountId account, std::uint64_t bytes);
  /// Reserves kFreeingBytes, regardless of the limit, before a change that frees bytes. `correct`
  /// then changes nothing until the change is recorded.
  Task<Result<void>> reserve_to_free(AccountId account);
  static constexpr std::uint64_t kFreeingBytes = 1;
  /// Releases `reserved_bytes` and adds `used_delta` to the used bytes: the bytes that were stored,
  /// at most `reserved_bytes`, or the negative number of bytes that were freed. The only error is
  /// `not_found`: if the database cannot be used, the change is written later, exactly once.
  Task<Result<void>> record(AccountId account, std::uint64_t reserved_bytes,
                            std::int64_t used_delta);
  Task<Result<Usage>> usage(AccountId account);
  /// Returns the used bytes of all accounts together, up to a tenth of a second late.
  Task<Result<std::uint64_t>> total_used_bytes();
  /// Sets the listener that is called, from any thread, whenever the used bytes of an account
  /// changed. It must not block. Call this before the ledger is used.
  void on_used(std::function<void(AccountId)> listener);
  /// Sets the used bytes to the number counted on disk. Returns false, and changes nothing, if the
  /// figures changed since `version`, or if any bytes are reserved for other purposes than
  /// receiving and interrupted uploads.
  Task<Result<bool>> correct(AccountId account, std::uint64_t used_bytes, std::int64_t version);

  /// Records that this server runs on the catalog, and drops the reservations of earlier runs.
  /// Returns true if the last run did not stop cleanly: the caller must then count the files anew.
  /// On PostgreSQL, this server's writes fail after another server has begun a run. `partial_tag`
  /// is in the names of this run's incomplete items; see Tasks::of_ended_runs.
  Task<Result<bool>> begin_run(std::string partial_tag = {});
  /// Records a clean stop. Call it after all changes are recorded.
  Task<Result<void>> end_run();
  /// Returns the id of this run, under which the database has its reservations.
  const std::string& node() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
