#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "backends/rclone/engine/rclone_process.h"
#include "base/id.h"

namespace coffer::mounts {

/// The engines (rclone processes) of drives that obey the same rule for addresses. Each account
/// with open drives has an engine of its own: a server that fills or ends it disturbs no other
/// account. When all engines are taken, an account shares the engine that the fewest accounts use.
/// Safe from any thread.
class DriveEngines {
 public:
  /// Makes an engine, which starts rclone only when it is used. Engines are numbered from 0.
  using Make = std::function<std::unique_ptr<rclone::RcloneProcess>(std::size_t number)>;
  /// rclone takes some 50 MB while it is used, and ends when it is not.
  static constexpr std::size_t kMostEngines = 32;

  explicit DriveEngines(Make make, std::size_t most = kMostEngines)
      : make_(std::move(make)), most_(most) {}

  /// Returns the engine of the account, or one for calls that concern no account. The engine stays
  /// the account's while a caller holds it: a later call may return another one. It must not be
  /// held longer than this object lives.
  std::shared_ptr<rclone::RcloneProcess> of(std::optional<AccountId> account);
  /// Stops all engines. Work of the engines fails, and none starts again.
  void request_end();
  /// Stops all engines as `request_end` does, and waits for their end.
  void end();

 private:
  using User = std::optional<AccountId>;
  struct Slot {
    std::unique_ptr<rclone::RcloneProcess> engine;
    /// The accounts that use the engine. An entry expires when nobody holds its engine any more.
    std::map<User, std::weak_ptr<rclone::RcloneProcess>> users;
    User last_user;  ///< Whose remotes and servers' answers may be left in the engine.
  };
  Slot& slot_for(User user);
  Slot* free_slot_for(User user);

  const Make make_;
  const std::size_t most_;
  std::mutex mutex_;
  std::vector<Slot> slots_;
  bool is_ending_ = false;
};

}  // namespace coffer::mounts
