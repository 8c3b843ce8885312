#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/ledger.h"
#include "core/namespace/mounts.h"
#include "core/tasks/background.h"
#include "storage/backend.h"

namespace coffer::core {

/// Frees space when an account's quota is full. Safe from any thread.
class QuotaRelief {
 public:
  virtual ~QuotaRelief() = default;
  /// Returns how many bytes could be freed.
  virtual Task<std::uint64_t> freeable_bytes(AccountId account) = 0;
  /// Frees enough for `bytes` more to fit. Returns false and frees nothing if they cannot fit even
  /// when everything is freed.
  virtual Task<bool> free_up(AccountId account, std::uint64_t bytes) = 0;
};

/// The services that reservations need.
struct Quota {
  catalog::Ledger& ledger;
  Background& background;
  QuotaRelief& relief;
};

/// Bytes reserved for one piece of work. The destructor returns in the background what was not
/// committed. A reservation without an account (a place that no quota covers) is unlimited. Not
/// safe for concurrent calls.
class Reservation {
 public:
  using AccountPtr = std::shared_ptr<const catalog::Account>;
  Reservation(const Quota& quota, AccountPtr account);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Returns how many bytes are reserved so far.
  std::uint64_t bytes() const;
  /// Reserves at least `bytes` in all, and frees space for that (see QuotaRelief). `over_quota` if
  /// they do not fit; then nothing changes.
  Task<Result<void>> grow_to(std::uint64_t bytes);
  /// The same without freeing space.
  Task<Result<void>> try_grow_to(std::uint64_t bytes);
  /// Adds bytes that are already reserved in the ledger.
  void add_reserved(std::uint64_t bytes);
  /// Passes the reserved bytes to the caller and returns how many they are.
  std::uint64_t release();
  /// Prevents a recount from correcting the figure while work runs that only frees bytes. Never
  /// fails with `over_quota`.
  Task<Result<void>> hold();
  /// Returns the size that it could grow to now if all that can be freed were freed.
  Task<Result<std::uint64_t>> available();
  /// Ends the reservation: `used_delta` bytes, at most `bytes()`, were stored, or freed if
  /// negative.
  Task<Result<void>> commit(std::int64_t used_delta);

 private:
  const Quota quota_;
  const AccountPtr account_;  ///< Or null.
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
};

/// `disk_full` if the backend's whole file system is smaller than `bytes`.
Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes);

struct Recount {
  std::uint64_t counted_bytes = 0;   ///< The size of the account's files on disk.
  std::uint64_t recorded_bytes = 0;  ///< The ledger's figure before.
  bool settled =
      true;  ///< False if the account was written to all the while; then nothing changed.
};

/// Opens the account's own files. Creates a missing folder if nothing was stored in it; otherwise
/// `not_found`.
Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account);

/// Counts an account's own files and corrects the ledger. Retries a few times if uploads change the
/// figure meanwhile. `not_found`, without a correction, if the folder is missing although something
/// was stored.
Task<Result<Recount>> recount(catalog::Ledger& ledger, HomeDirectories& homes,
                              const catalog::Account& account);

}  // namespace coffer::core
