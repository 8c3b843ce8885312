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

/// What gives way where an account's quota is full. Safe from any thread.
class QuotaRelief {
 public:
  virtual ~QuotaRelief() = default;
  /// How much could be freed.
  virtual Task<std::uint64_t> could_free(AccountId account) = 0;
  /// Frees as much as `bytes` need to fit; false, and nothing is freed, if they would not fit
  /// though all of it went.
  virtual Task<bool> make_room(AccountId account, std::uint64_t bytes) = 0;
};

/// Where the quota of all accounts is reserved.
struct Quota {
  catalog::Ledger& ledger;
  Background& background;
  QuotaRelief& relief;
};

/// Bytes set aside for one piece of work. What is not settled when it goes is given back behind.
/// A reservation without an account (a place that no quota covers) always has enough. Not safe for
/// concurrent calls.
class Reservation {
 public:
  using AccountPtr = std::shared_ptr<const catalog::Account>;
  Reservation(const Quota& quota, AccountPtr account);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// How much may be stored: what is reserved so far.
  std::uint64_t bytes() const;
  /// Makes it at least `bytes`, for which others give way; `over_quota` if they do not fit, and
  /// nothing was changed.
  Task<Result<void>> grow_to(std::uint64_t bytes);
  /// The same, but nothing gives way.
  Task<Result<void>> try_grow_to(std::uint64_t bytes);
  /// So much more is reserved already, in the name of this run.
  void take_over(std::uint64_t bytes);
  /// Gives what is reserved into the caller's hands: how much.
  std::uint64_t let_go();
  /// Keeps the figure from being corrected meanwhile, for work that may only free bytes. Never
  /// refused for the quota.
  Task<Result<void>> hold();
  /// How much it could grow to now, if all gave way that can; others reserve at the same time.
  Task<Result<std::uint64_t>> room();
  /// Ends it: `used_delta` bytes were stored (or freed, if negative). At most `bytes()`.
  Task<Result<void>> settle(std::int64_t used_delta);

 private:
  const Quota quota_;
  const AccountPtr account_;  ///< Or null.
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
};

/// `disk_full` if the whole file system of the backend could not hold so much, were it empty.
Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes);

struct Recount {
  std::uint64_t counted_bytes = 0;   ///< What the account's files hold on disk.
  std::uint64_t recorded_bytes = 0;  ///< What the ledger said before.
  bool settled =
      true;  ///< False if the account was being written to all the while; nothing changed.
};

/// The account's own files. A missing folder is made where nothing was stored in it; `not_found`
/// where something was.
Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account);

/// Counts an account's own files and corrects the ledger where it says otherwise. Beside a running
/// server it tries again while uploads change the figure, and gives up after some tries.
/// `not_found`, and the figure stays, where the folder is missing although something was stored.
Task<Result<Recount>> recount(catalog::Ledger& ledger, HomeDirectories& homes,
                              const catalog::Account& account);

}  // namespace coffer::core
