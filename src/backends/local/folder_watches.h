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

/// An instance of inotify(7). The kernel limits the number of instances for each user. Safe from
/// any thread, except that only one thread may call `read`.
class Inotify {
 public:
  /// Returns an instance, or an errno if the kernel gives none.
  static std::expected<Inotify, int> open();

  /// Watches the open folder, even if its path changes later. Returns the watch descriptor, or an
  /// errno if the folder cannot be watched. Repeated calls for one folder return the same
  /// descriptor.
  std::expected<int, int> add(int folder) const;
  void remove(int watch) const;

  struct Event {
    int watch;  ///< -1 if events were lost because the kernel's queue was full.
    std::uint32_t mask;
    std::string_view name;  ///< The item's name; empty if the event is about the folder itself.
  };
  /// Calls `take` for each available event, but stops after some thousands. Does not wait.
  void read(const std::function<void(const Event&)>& take) const;
  int descriptor() const { return handle_.get(); }

 private:
  explicit Inotify(Handle handle) : handle_(std::move(handle)) {}
  Handle handle_;
};

struct WatchedFolder;

/// Maps each folder that the kernel watches to the WatchedFolders that need its events. `watch` is
/// the folder's watch descriptor (Inotify::add). Not safe for concurrent calls.
class WatchTable {
 public:
  /// Registers `one` for events of the item `name` in the folder. If `name` is empty, registers
  /// `one` for events of all items.
  void add(int watch, const std::string& name, WatchedFolder* one);
  /// Reverts `add`. Returns true if that was the folder's last registration.
  bool remove(int watch, const std::string& name, WatchedFolder* one);
  /// Returns the WatchedFolders that are registered for all items of the folder.
  const std::vector<WatchedFolder*>& of_folder(int watch) const;
  /// Returns the WatchedFolders that are registered for the item `name` of the folder.
  const std::vector<WatchedFolder*>& of_item(int watch, std::string_view name) const;
  /// Returns all WatchedFolders that are registered for the folder or for an item of it.
  std::vector<WatchedFolder*> all_of(int watch) const;

 private:
  using Listeners = std::map<std::string, std::vector<WatchedFolder*>, std::less<>>;
  std::map<int, Listeners> folders_;
};

/// A folder's state. Two states differ if the folder was replaced or a name in it was changed.
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

/// A folder that is watched for a listener. Only FolderWatches uses the members that are not const,
/// and guards them with its mutex.
struct WatchedFolder {
  const std::shared_ptr<Volume> volume;
  const Lookup lookup;
  const Path folder;
  const storage::FolderListener listener;
  const std::string root;  ///< The path that the volume's root had when the watch began.

  /// A kernel watch of a folder on the path to the watched folder.
  struct Link {
    int watch;
    std::string name;   ///< The next name on the path; empty for the watched folder itself.
    std::size_t round;  ///< The number of the last check that found the folder on the path.
  };
  std::vector<Link> links = {};
  std::size_t round = 0;  ///< The number of checks that began.
  FolderState state = {};
  bool is_polled = false;        ///< Checked every second: the kernel does not report all changes.
  bool is_lost = false;          ///< The volume's root was moved or removed.
  bool is_arming = false;        ///< A check is queued in the pool, or is running.
  bool is_to_arm_again = false;  ///< The running check must be repeated.
  bool is_over = false;          ///< The watch has ended.
};

/// Watches folders on this machine's disks by their paths. Also watches the folders above each
/// watched folder, to notice when a folder on the path is renamed or replaced. One thread reads the
/// kernel's events and never waits for a disk; the first watch starts this thread. Every watched
/// folder is also checked every fifteen seconds, on a thread of its volume's pool. A folder is
/// checked every second if the kernel does not report all its changes. Safe from any thread.
class FolderWatches {
 public:
  /// If `uses_kernel` is false, inotify is not used, and all folders are checked every second.
  explicit FolderWatches(bool uses_kernel) : uses_kernel_(uses_kernel) {}
  /// All watches must have ended before the destruction.
  ~FolderWatches();
  FolderWatches(const FolderWatches&) = delete;
  FolderWatches& operator=(const FolderWatches&) = delete;

  /// Begins a watch. `listener` is told of all changes after this call has returned. The watch ends
  /// when the returned object is destroyed. Blocks; call it on a thread of the volume's pool.
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
  /// Adds a kernel watch for each existing folder on the path of `one`, and returns the state of
  /// the watched folder. Sets `is_polled` if the kernel does not report all changes.
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
  std::size_t polled_ = 0;  ///< The number of folders that are checked every second.
  std::size_t jobs_ = 0;    ///< The number of checks that were posted to pools and have not ended.
  bool has_warned_ = false;
  bool is_stopping_ = false;
  Handle wake_;
  Clock::time_point next_poll_;
  Clock::time_point next_round_;
  std::thread thread_;
};

}  // namespace coffer::local
