#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "backends/local/inotify.h"
#include "backends/local/lookup.h"
#include "backends/local/watch_table.h"
#include "base/path.h"
#include "storage/folder_watch.h"

namespace coffer::local {

/// What a look at a watched folder finds; another one once it was replaced, or a name in it
/// changed.
struct FolderState {
  bool is_there = false;
  std::pair<std::uint32_t, std::uint32_t> device = {};
  std::uint64_t inode = 0;
  Timestamp modified_at = {};
  Timestamp changed_at = {};

  bool is_same_folder(const FolderState& other) const {
    return is_there == other.is_there && device == other.device && inode == other.inode;
  }
  bool operator==(const FolderState&) const = default;
};

/// A folder under watch. What is not const is for FolderWatches, under its mutex.
struct WatchedFolder {
  const std::shared_ptr<Volume> volume;
  const Lookup lookup;
  const Path folder;
  const storage::FolderListener listener;
  const std::string root;  ///< Where the volume's root was.

  /// A folder that the kernel watches for this one, and the name in it that leads on, or none.
  struct Link {
    int watch;
    std::string name;
    std::size_t round;  ///< In which it was confirmed last.
  };
  std::vector<Link> links = {};
  std::size_t round = 0;
  FolderState state = {};
  bool is_polled = false;  ///< The kernel does not tell all of it.
  bool is_lost = false;
  bool is_arming = false;
  bool is_to_arm_again = false;
  bool is_over = false;
};

/// Watches folders of this machine's disks, by their paths: the folders above are watched too, for
/// the one name in each that leads on. One thread reads what the kernel tells, from the first watch
/// on; it waits for no disk. What the kernel cannot tell of is looked at each second, and all is
/// now and then, by the pools of the folders' volumes. Safe from any thread.
class FolderWatches {
 public:
  /// `uses_kernel` false: all is looked at.
  explicit FolderWatches(bool uses_kernel) : uses_kernel_(uses_kernel) {}
  /// Watches must have ended.
  ~FolderWatches();
  FolderWatches(const FolderWatches&) = delete;
  FolderWatches& operator=(const FolderWatches&) = delete;

  /// Begins; the listener hears of what changes from its return on. Blocks: for a thread of the
  /// volume's pool.
  std::unique_ptr<storage::FolderWatch> watch(const std::shared_ptr<Volume>& volume,
                                              const Lookup& lookup, const Path& folder,
                                              storage::FolderListener listener);

 private:
  class Watch;
  using Watched = std::shared_ptr<WatchedFolder>;
  using Clock = std::chrono::steady_clock;
  struct Told {
    std::set<Watched> changed;
    std::set<Watched> missed;
  };

  void begin();
  void open_kernel();
  void run();
  void wait();
  void read();
  void take(const Inotify::Event& event, Told& told);
  void look_around(Clock::time_point now);
  void wake() const;
  void drop(const Watched& one);
  Watched held(WatchedFolder* one);
  void arm_soon(const Watched& one);
  void arm(WatchedFolder& one);
  /// Watches what there is on the way to it.
  FolderState follow(WatchedFolder& one, std::size_t round, bool& is_polled);
  bool link(WatchedFolder& one, std::size_t round, int folder, std::string name);
  bool drop_links(WatchedFolder& one, std::size_t but_of_round);
  void settle(WatchedFolder& one, std::size_t round, const FolderState& state, bool is_polled);

  const bool uses_kernel_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::optional<Inotify> inotify_;
  WatchTable table_;
  std::map<WatchedFolder*, std::weak_ptr<WatchedFolder>> all_;
  std::size_t polled_ = 0;  ///< Of them.
  std::size_t jobs_ = 0;    ///< At the pools.
  bool has_warned_ = false;
  bool is_stopping_ = false;
  Handle wake_;
  Clock::time_point next_poll_;
  Clock::time_point next_round_;
  std::thread thread_;
};

}  // namespace coffer::local
