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

/// Collects the times of the last uses of a table's rows and writes them every half minute on a
/// thread of its own. Safe from any thread.
class LastUses {
 public:
  /// `update` is a statement that sets the time `:at` in the row `:id` unless the row has a later
  /// time. `what` names the rows in messages.
  LastUses(Database& database, std::string what, std::string update);
  ~LastUses();

  /// Notes a use, or drops it if it is less than half a minute after the last one.
  void note(const std::string& id, Timestamp time);
  /// Writes the noted times; blocks. Times that could not be written are written the next time.
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
  std::jthread thread_;  ///< Last, since it uses all members above.
};

}  // namespace coffer::catalog
