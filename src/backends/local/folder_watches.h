#pragma once

#include <sys/inotify.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/lookup.h"
#include "base/path.h"
#include "storage/folder_watch.h"

namespace coffer::local {

/// One instance of inotify(7); a process may have few. Safe from any thread, except for `read`,
/// which one thread may call.
class Inotify {
 public:
  /// An errno if no instance is left.
  static std::expected<Inotify, int> open();

  /// Watches the open folder, whatever its path is later. Returns the watch's descriptor, the same
  /// for each call on one folder, or an errno if it cannot be watched.
  std::expected<int, int> add(int folder) const;
  void remove(int watch) const;

  struct Event {
    int watch;  ///< -1: the kernel's queue was full, and events are lost.
    std::uint32_t mask;
    std::string_view name;  ///< Of the item in the folder; empty if it is the folder itself.
  };
  /// Passes on the events that are there, up to some thousands. Does not wait.
  void read(const std::function<void(const Event&)>& take) const;
  int descriptor() const { return handle_.get(); }

 private:
  explicit Inotify(Handle handle) : handle_(std::move(handle)) {}
  Handle handle_;
};

struct WatchedFolder;

/// The listeners of each folder that the kernel watches. Not safe for concurrent calls.
class WatchTable {
 public:
  /// Adds a listener for the item of that name in the folder; for all items if the name is empty.
  void add(int watch, const std::string& name, WatchedFolder* one);
  /// True if the folder has no listener any more.
  bool remove(int watch, const std::string& name, WatchedFolder* one);
  /// The listeners for all items of the folder.
  const std::vector<WatchedFolder*>& of_folder(int watch) const;
  /// The listeners for that item of the folder.
  const std::vector<WatchedFolder*>& of_item(int watch, std::string_view name) const;
  /// All listeners of the folder.
  std::vector<WatchedFolder*> all_of(int watch) const;

 private:
  using Listeners = std::map<std::string, std::vector<WatchedFolder*>, std::less<>>;
  std::map<int, Listeners> folders_;
};

/// The state of a watched folder; it changes when the folder is replaced or a name in it changes.
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

/// A watched folder. The members that are not const belong to FolderWatches, under its mutex.
struct WatchedFolder {
  const std::shared_ptr<Volume> volume;
  const Lookup lookup;
  const Path folder;
  const storage::FolderListener listener;
  const std::string root;  ///< The path of the volume's root.

  /// A folder on the path that the kernel watches, and the path's next name in it; empty in the
  /// last one.
  struct Link {
    int watch;
    std::string name;
    std::size_t round;  ///< In which it was confirmed last.
  };
  std::vector<Link> links = {};
  std::size_t round = 0;
  FolderState state = {};
  bool is_polled = false;  ///< The kernel does not notice all changes.
  bool is_lost = false;
  bool is_arming = false;
  bool is_to_arm_again = false;
  bool is_over = false;
};

/// Watches folders of this machine's disks by their paths: each folder above is watched too, for
/// the path's next name in it. One thread reads the kernel's events, from the first watch on, and
/// never waits for a disk. Folders whose changes the kernel does not notice are checked each
/// second, and all every fifteen seconds, by the pools of their volumes. Safe from any thread.
class FolderWatches {
 public:
  /// `uses_kernel` false: all folders are checked each second.
  explicit FolderWatches(bool uses_kernel) : uses_kernel_(uses_kernel) {}
  /// Watches must have ended.
  ~FolderWatches();
  FolderWatches(const FolderWatches&) = delete;
  FolderWatches& operator=(const FolderWatches&) = delete;

  /// Begins a watch; changes after its return are reported. Blocks: call it on a thread of the
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
  /// Watches the existing folders on the path.
  FolderState follow(WatchedFolder& one, std::size_t round, bool& is_polled);
  bool link(WatchedFolder& one, std::size_t round, int folder, std::string name);
  bool drop_links(WatchedFolder& one, std::size_t but_of_round);
  void update(WatchedFolder& one, std::size_t round, const FolderState& state, bool is_polled);

  const bool uses_kernel_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::optional<Inotify> inotify_;
  WatchTable table_;
  std::map<WatchedFolder*, std::weak_ptr<WatchedFolder>> all_;
  std::size_t polled_ = 0;  ///< How many of them are polled.
  std::size_t jobs_ = 0;    ///< Checks that were posted to pools.
  bool has_warned_ = false;
  bool is_stopping_ = false;
  Handle wake_;
  Clock::time_point next_poll_;
  Clock::time_point next_round_;
  std::thread thread_;
};

}  // namespace coffer::local
