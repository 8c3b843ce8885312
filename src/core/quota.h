#pragma once

#include <cstdint>
#include <memory>

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/ledger.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Bytes set aside for one piece of work. What is not settled when it goes is given back behind.
/// A reservation without an account (a place that no quota covers) always has enough. Not safe for
/// concurrent calls.
class Reservation {
 public:
  using AccountPtr = std::shared_ptr<const catalog::Account>;
  Reservation(catalog::Ledger& ledger, Background& background, AccountPtr account);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// How much may be stored: what is reserved so far.
  std::uint64_t bytes() const;
  /// Makes it at least `bytes`; `over_quota` if they do not fit, and nothing was changed.
  Task<Result<void>> grow_to(std::uint64_t bytes);
  /// So much more is reserved already, in the name of this run.
  void take_over(std::uint64_t bytes);
  /// Gives what is reserved into the caller's hands: how much.
  std::uint64_t let_go();
  /// Keeps the figure from being corrected meanwhile, for work that may only free bytes. Never
  /// refused for the quota.
  Task<Result<void>> hold();
  /// How much it could grow to now; others reserve at the same time.
  Task<Result<std::uint64_t>> room();
  /// Ends it: `used_delta` bytes were stored (or freed, if negative). At most `bytes()`.
  Task<Result<void>> settle(std::int64_t used_delta);

 private:
  catalog::Ledger& ledger_;
  Background& background_;
  const AccountPtr account_;  ///< Or null.
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace coffer::core
