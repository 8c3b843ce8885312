#pragma once

#include <compare>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"

namespace coffer::catalog {

class Database;

/// A folder that clients watch: its path from the root of an account.
struct WatchedFolder {
  AccountId account;
  Path path;

  bool operator==(const WatchedFolder&) const = default;
  auto operator<=>(const WatchedFolder& other) const {
    return std::pair(account.value, path.str()) <=>
           std::pair(other.account.value, other.path.str());
  }
};
using WatchedFolders = std::set<WatchedFolder>;

/// What changed through other servers, for the accounts of watched folders.
struct NewsOfOthers {
  WatchedFolders folders;                           ///< In which something changed.
  std::vector<std::pair<AccountId, TaskId>> tasks;  ///< That changed.
  std::vector<AccountId> usages;                    ///< Accounts whose Usage changed.
};

/// Passes events between the servers that share a catalog. Each notes the folders that its clients
/// watch, watches those of the others itself, and tells them of changes. Not safe for concurrent
/// calls.
class SharedEvents {
 public:
  explicit SharedEvents(Database& database) : database_(database) {}

  /// True if there may be other servers.
  bool are_needed() const;
  /// Notes the folders that this server's clients watch, and tells the other servers of changes in
  /// folders that theirs watch. Returns the folders that those watch.
  Task<Result<WatchedFolders>> exchange(const WatchedFolders& own, const WatchedFolders& changed);
  /// Returns what is new since the last call. Something may be told twice.
  Task<Result<NewsOfOthers>> news();

 private:
  Database& database_;
  std::optional<WatchedFolders> noted_;                     ///< The last `own` in the database.
  Timestamp told_until_{};                                  ///< When `news` last read.
  std::set<std::string> told_;                              ///< Ids of the events of the last call.
  std::set<std::pair<std::int64_t, std::int64_t>> usages_;  ///< Accounts and versions.
};

}  // namespace coffer::catalog
