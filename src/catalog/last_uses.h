#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// When the rows of a table were last used, collected in memory and written every half minute by a
/// thread of its own. Safe from any thread.
class LastUses {
 public:
  /// `update` sets the time `:at` in the row of the id `:id`, unless that has a later one; `what`
  /// are the rows to people.
  LastUses(Database& database, std::string what, std::string update);
  ~LastUses();

  /// Cheap: a use less than half a minute after the last one is dropped.
  void note(const std::string& id, Timestamp time);
  /// Writes what was noted; blocks. What could not be written is kept for the next time.
  Result<void> flush();

 private:
  struct Use {
    Timestamp time{};
    bool written = false;
  };
  using Uses = std::unordered_map<std::string, Use>;
  void run(std::stop_token stop);
  std::unordered_map<std::string, Timestamp> take();

  Database& database_;
  const std::string what_;
  const std::string update_;
  std::mutex mutex_;
  Uses uses_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< Last: it uses everything above.
};

}  // namespace coffer::catalog
