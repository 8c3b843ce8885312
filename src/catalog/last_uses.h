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

/// Collects the times at which rows of a table were last used. A thread of this object writes them
/// to the database every half minute. Safe from any thread.
class LastUses {
 public:
  /// `update` is an SQL statement that sets the time `$1` in the row `$2` unless the row has a
  /// later time. `what` names the rows in log messages, such as "keys".
  LastUses(Database& database, std::string what, std::string update);
  ~LastUses();

  /// Records a use of a row, unless the last recorded use is less than half a minute before `time`.
  void note(const std::string& id, Timestamp time);
  /// Writes the recorded times; blocks. Times that could not be written are kept for the next call.
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
  std::jthread thread_;  ///< Declared last: it must end before the other members.
};

}  // namespace coffer::catalog
