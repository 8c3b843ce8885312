#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// Tells other servers that this one lives, and ends the runs of those that died. Not safe for
/// concurrent calls.
class RunWatch {
 public:
  /// How often to call `look`.
  static constexpr std::chrono::seconds kPeriod{2};
  /// A run ends if its server has given no sign of life for so long, seen from here, and does not
  /// hold the run's lock. While the database cannot be asked, or this server stands still, no time
  /// passes.
  static constexpr std::chrono::seconds kSilence{10};

  explicit RunWatch(Database& database) : database_(database) {}

  /// Gives a sign of life, and looks at the other runs. Returns how many it ended. Their tasks,
  /// changes of folders and uploads are then those of ended runs (see Tasks::interrupt_ended,
  /// ScopeChanges::revoke_ended, Uploads::interrupted). Does nothing where this server is the only
  /// one. `now` is given by tests.
  Task<int> look(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

 private:
  struct Seen {
    std::int64_t beats = 0;
    std::chrono::steady_clock::time_point since;  ///< When it was first seen at this beat.
  };
  using SeenRuns = std::map<std::string, Seen>;
  Task<Result<SeenRuns>> beat();
  Task<Result<bool>> end(std::string node, std::int64_t beats);

  Database& database_;
  SeenRuns seen_;  ///< The other runs.
  std::chrono::steady_clock::time_point last_look_;
};

}  // namespace coffer::catalog
