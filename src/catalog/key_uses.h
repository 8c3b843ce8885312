#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

/// When keys were last used, collected in memory and written every half minute by a thread of its
/// own. Safe from any thread.
class KeyUses {
 public:
  explicit KeyUses(Database& database);
  ~KeyUses();

  /// Cheap: a use less than half a minute after the last one is dropped.
  void note(const KeyId& id, Timestamp time);
  /// Writes what was noted; blocks. What could not be written is kept for the next time.
  Result<void> flush();

 private:
  struct Use {
    Timestamp time{};
    bool written = false;
  };
  using Uses = std::unordered_map<KeyId, Use>;
  void run(std::stop_token stop);
  std::unordered_map<KeyId, Timestamp> take();

  Database& database_;
  std::mutex mutex_;
  Uses uses_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< Last: it uses everything above.
};

}  // namespace coffer::catalog
