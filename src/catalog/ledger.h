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
  std::uint64_t used_bytes = 0;      ///< Stored in its own files.
  std::uint64_t reserved_bytes = 0;  ///< Promised to writes that still run, and to uploads.
  std::uint64_t limit_bytes = 0;     ///< 0: unlimited.
  std::int64_t version = 0;          ///< Grows with every change of the figures.
};

/// The quota ledger: bytes are reserved before they are stored and settled after, each by one
/// conditional update, so used + reserved never passes the limit, whatever else writes. Safe from
/// any thread and any number of processes. Calls that run at the same time share a transaction, and
/// on SQLite most need none: some quota is reserved ahead, and what was used is written within a
/// tenth of a second. `usage` and `correct` of the same ledger see everything.
class Ledger {
 public:
  explicit Ledger(Database& database);
  ~Ledger();

  /// Reserves `bytes`; `over_quota` if they do not fit.
  Task<Result<void>> reserve(AccountId account, std::uint64_t bytes);
  /// Reserves one byte, whatever the limit, for a change that frees room: until it is settled,
  /// `correct` refuses, since the figure is about to change.
  Task<Result<void>> hold(AccountId account);
  static constexpr std::uint64_t kHeldBytes = 1;
  /// Releases `reserved_bytes` and counts the bytes that were really stored or freed (`used_delta`,
  /// at most `reserved_bytes`). Never fails for the quota. If the database is away, the change is
  /// written exactly once later: `not_found` is the only failure.
  Task<Result<void>> settle(AccountId account, std::uint64_t reserved_bytes,
                            std::int64_t used_delta);
  Task<Result<Usage>> usage(AccountId account);
  /// Of all accounts together, up to a moment late.
  Task<Result<std::uint64_t>> total_used_bytes();
  /// Calls `listener` whenever what an account uses has changed, from any thread. To be set before
  /// the ledger is used; it must not wait.
  void on_used(std::function<void(AccountId)> listener);
  /// Corrects the figure to what was counted on disk, if nothing changed since `version` and
  /// nothing is reserved but for uploads that are receiving; false otherwise.
  Task<Result<bool>> correct(AccountId account, std::uint64_t used_bytes, std::int64_t version);

  /// Notes that a server runs on the catalog; true if the last one did not stop cleanly, so that
  /// its reservations are void (they are dropped here) and the figures must be counted anew. On
  /// PostgreSQL nothing is written any more once another server has begun a run. `partial_tag` is
  /// that of the incomplete items which the server makes; see Tasks::of_ended_runs.
  Task<Result<bool>> begin_run(std::string partial_tag = {});
  /// Notes a clean stop: everything is settled.
  Task<Result<void>> end_run();
  /// By which this run's reservations are noted.
  const std::string& node() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
