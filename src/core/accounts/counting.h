#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/catalog.h"
#include "core/accounts/quota.h"
#include "core/namespace/mounts.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Counts the files of the accounts whose used bytes may be wrong after an unclean stop, while
/// requests are served. Safe from any thread.
class Counting final : public CountedFigures {
 public:
  Counting(catalog::Catalog& catalog, HomeDirectories& homes) : catalog_(catalog), homes_(homes) {}

  /// Reads which accounts are to be counted. Call it after Ledger::begin_run and before requests
  /// are served, and again when the run of another server was ended.
  Task<Result<void>> begin();
  /// Counts them in the background, a few accounts at a time, those first for which `settled`
  /// waits, unless an earlier call still does. An account that cannot be counted keeps its figures,
  /// and the next start tries again, or `begin` if it `is_owed`.
  void start(Background& background);
  /// Returns true if the database was away while an account was counted.
  bool is_owed() const { return is_owed_; }
  /// `overloaded` if it takes longer than 20 seconds.
  Task<Result<void>> settled(AccountId account) override;
  bool is_unsure(AccountId account) const override;

 private:
  struct Left {
    catalog::Account account;
    int tries = 0;
  };
  using Timer = asio::steady_timer;

  Task<void> run(Background& background);
  std::optional<Left> take_next();
  /// Returns false if the account has to be counted again, since it was written to meanwhile.
  Task<bool> count(const Left& left);
  void end(AccountId account);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  std::atomic<std::size_t> unsure_count_ = 0;
  std::atomic<bool> is_owed_ = false;
  mutable std::mutex mutex_;
  std::deque<Left> left_;
  int running_ = 0;  ///< Calls of `run`.
  /// The accounts that are not counted, and the timers of the calls that wait for each.
  std::map<AccountId, std::vector<std::weak_ptr<Timer>>> unsure_;
};

}  // namespace coffer::core
