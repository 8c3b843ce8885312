#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/call_deadlines.h"

namespace coffer::catalog {

class Database;

/// Locks that hold across all servers that share a catalog: advisory locks of PostgreSQL's sessions
/// ("Advisory Locks", section 13.3.5 of its manual). A place is any text. Where this server is the
/// only one, all locks are free. A server that dies, or loses its connection to the database, loses
/// its locks. Each lock has a connection of its own, of which an object uses 16 at most. Safe from
/// any thread; must outlive all locks.
class PlaceLocks {
 public:
  enum class Mode : std::uint8_t { shared, exclusive };
  using Places = std::map<std::string, Mode>;

  explicit PlaceLocks(Database& database);
  ~PlaceLocks();

  /// Some locked places, until this object is destroyed.
  class Hold {
   public:
    Hold() = default;

   private:
    friend PlaceLocks;
    struct State;
    explicit Hold(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;
  };

  /// Waits until all places can be locked. `unready` if that takes longer than eight seconds, or
  /// the database does not answer. A caller must not hold locks of an earlier call of this object.
  Task<Result<Hold>> acquire(Places places);

 private:
  struct Session;
  using SessionPtr = std::unique_ptr<Session>;
  Result<Hold> lock(const Places& places);
  void lock_at(Session& session, const Places& places);
  std::shared_ptr<Hold::State> shared_hold(const std::string& place);
  Task<bool> take_connection();
  SessionPtr take_session();
  void give_back(SessionPtr session);

  static constexpr std::size_t kMostConnections = 16;
  /// So long a shared lock of one place is shared with later callers, so that a place in constant
  /// use costs few statements, and yet another server's exclusive lock gets its turn. Where no
  /// connection is free, it is shared as long as it is used.
  static constexpr std::chrono::milliseconds kIsYoung{200};
  static constexpr std::size_t kMostIdle = 4;

  Database& database_;
  std::mutex mutex_;
  std::vector<SessionPtr> idle_;
  std::map<std::string, std::weak_ptr<Hold::State>> shared_;  ///< By place.
  CallDeadlines deadlines_;
  std::atomic<std::size_t> connections_ = 0;  ///< Of holds.
  std::optional<Pool> pool_;                  ///< Where the catalog is shared. Last, for its calls.
};

}  // namespace coffer::catalog
