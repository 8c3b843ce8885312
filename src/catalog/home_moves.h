#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/account.h"

namespace coffer::catalog {

class Database;

/// The step of moving an account's own files to another store.
enum class HomeMovePhase : std::uint8_t {
  copying,   ///< The files in the target are not in use yet.
  clearing,  ///< The files in the target are in use, and those in the other store no longer.
};
constexpr auto words_of(HomeMovePhase) {
  return enum_words<HomeMovePhase>(
      {{HomeMovePhase::copying, "copying"}, {HomeMovePhase::clearing, "clearing"}});
}

/// A move of an account's own files that has begun and not ended.
struct HomeMove {
  AccountId account;
  std::string home;  ///< See Account::home.
  HomeStore target = HomeStore::files;
  HomeMovePhase phase = HomeMovePhase::copying;
  Timestamp begun_at{};

  /// Returns the store in which what is left of the home is not in use.
  HomeStore unused() const {
    const bool is_target = phase == HomeMovePhase::copying;
    const HomeStore source = target == HomeStore::files ? HomeStore::objects : HomeStore::files;
    return is_target ? target : source;
  }
};

/// The records of moves of own files from one store to another. Safe from any thread. All calls are
/// durable when they return.
class HomeMoves {
 public:
  explicit HomeMoves(Database& database) : database_(database) {}

  /// Records that the account's files are being copied to `target`. Call it before the first one.
  /// `exists` if a move of them has begun already; `not_found` if there is no such account.
  Task<Result<void>> begin(AccountId account, HomeStore target);
  /// Makes the files in the target those of the account, in one step with the record. `conflict` if
  /// no files are being copied there.
  Task<Result<void>> switch_over(AccountId account, HomeStore target);
  /// Deletes the record. Does nothing if there is none.
  Task<Result<void>> end(AccountId account);
  /// Returns nullopt if there is no record of the account.
  Task<Result<std::optional<HomeMove>>> find(AccountId account);
  /// As `find`, but waits for a change of the record that is under way, such as one whose answer
  /// was lost.
  Task<Result<std::optional<HomeMove>>> find_settled(AccountId account);
  /// Returns all records, also those of accounts that were removed.
  Task<Result<std::vector<HomeMove>>> list();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
