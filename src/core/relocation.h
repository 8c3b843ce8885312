#pragma once

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/catalog.h"
#include "core/background.h"
#include "core/long_work.h"
#include "core/quota.h"
#include "core/space.h"
#include "core/withdrawal.h"

namespace coffer::core {

/// From where to where a move or copy goes, and the space that keeps both backends alive.
struct Route {
  Space space;
  Place from;
  Place to;  ///< The item's own new place, in a folder that exists.
};

/// Takes items to other places, whatever backends these are in, with the quota and the keys' scopes
/// in step. Rights were checked before. Safe from any thread.
class Relocation {
 public:
  Relocation(catalog::Catalog& catalog, Mounts& mounts, Background& background, LongWork& long_work)
      : catalog_(catalog),
        background_(background),
        long_work_(long_work),
        withdrawals_(catalog.accounts(), mounts) {}

  /// Within one backend. `exists` if the name is taken.
  Task<Result<void>> rename(AccountId account, const Place& from, const Place& to);
  /// A rename within one backend. Else a task, which goes on when the caller goes away: a copy
  /// whose source is deleted once the copy was verified.
  Task<Result<void>> move(AccountId account, Route route);
  /// A task, which goes on when the caller goes away. This and a move between backends stop when
  /// the account loses the right to them.
  Task<Result<void>> copy(AccountId account, Route route);

 private:
  Objection objection(AccountId account, const Route& route, bool moves);
  Task<Result<void>> copy_within(const Place& from, const Place& to, Job& job);
  Task<Result<void>> copy_across(const Place& from, const Place& to, Job& job);
  Task<Result<void>> move_across(AccountId account, const Place& from, const Place& to, Job& job);
  /// Lets the keys limited to what was moved follow it.
  Task<Result<void>> take_keys_along(AccountId account, const Place& from, const Place& to);
  Reservation reservation(const Place& place) {
    return {catalog_.ledger(), background_, place.quota_account};
  }

  catalog::Catalog& catalog_;
  Background& background_;
  LongWork& long_work_;
  Withdrawals withdrawals_;
};

}  // namespace coffer::core
