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
  std::uint64_t reserved_bytes = 0;  ///< For writes and uploads under way.
  std::uint64_t limit_bytes = 0;     ///< 0: unlimited.
  std::int64_t version = 0;          ///< Increases with every change.
};

/// The quota ledger. Bytes are reserved before they are stored and recorded afterwards, each by one
/// conditional update, so that used + reserved never exceeds the limit. Safe from any thread and
/// any number of processes. Concurrent calls share a transaction. On SQLite most calls need none:
/// the ledger reserves some quota ahead and writes the used bytes within a tenth of a second; its
/// own `usage` and `correct` include them.
class Ledger {
 public:
  explicit Ledger(Database& database);
  ~Ledger();

  /// Reserves `bytes`; `over_quota` if they do not fit.
  Task<Result<void>> reserve(AccountId account, std::uint64_t bytes);
  /// Reserves kFreeingBytes regardless of the limit, for a change that frees bytes, so that
  /// `correct` does nothing until the change is recorded.
  Task<Result<void>> reserve_to_free(AccountId account);
  static constexpr std::uint64_t kFreeingBytes = 1;
  /// Releases `reserved_bytes` and adds the bytes that were stored, or freed if negative
  /// (`used_delta`, at most `reserved_bytes`). Never `over_quota`. If the database cannot be used,
  /// the change is written exactly once later; `not_found` is the only failure.
  Task<Result<void>> record(AccountId account, std::uint64_t reserved_bytes,
                            std::int64_t used_delta);
  Task<Result<Usage>> usage(AccountId account);
  /// Returns the used bytes of all accounts together, up to a tenth of a second late.
  Task<Result<std::uint64_t>> total_used_bytes();
  /// Calls `listener` from any thread whenever the used bytes of an account changed. Set it before
  /// the ledger is used; it must not wait.
  void on_used(std::function<void(AccountId)> listener);
  /// Sets the used bytes to those counted on disk. Returns false, and changes nothing, if the
  /// figures changed since `version` or bytes are reserved other than for unfinished uploads.
  Task<Result<bool>> correct(AccountId account, std::uint64_t used_bytes, std::int64_t version);

  /// Notes that a server runs on the catalog. Returns true if the last one did not stop cleanly:
  /// its reservations are dropped, and the caller must count the files anew. On PostgreSQL, writes
  /// fail after another server has begun a run. `partial_tag` is the tag of the server's incomplete
  /// items; see Tasks::of_ended_runs.
  Task<Result<bool>> begin_run(std::string partial_tag = {});
  /// Notes a clean stop, when all changes are recorded.
  Task<Result<void>> end_run();
  /// Returns the name under which this run's reservations are noted.
  const std::string& node() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
