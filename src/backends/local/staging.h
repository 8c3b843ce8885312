#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/name_changes.h"
#include "base/error.h"

namespace coffer::local {

/// Deletes items in staging folders, on a thread of low priority. What waits to be deleted counts
/// in no quota: a second thread, of normal priority, helps as long as much waits. Before it deletes
/// a folder, it moves the subfolders up into the staging folder, so that a tree may have any depth.
/// If the program stops too early, its next start deletes the rest (Staging::sweep). Safe from any
/// thread.
class Reclaimer {
 public:
  /// Starts the threads. Throws std::system_error if a thread cannot be started. All deletions use
  /// these threads, so `add` cannot fail in this way.
  Reclaimer();
  /// Stops the threads, even if a tree is only partly deleted.
  ~Reclaimer();
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;

  /// Deletes the file or the whole tree `name` in the folder, in the background. The descriptor
  /// `folder` must stay open until `leave(folder)` has returned.
  void add(int folder, std::string name);
  /// Closes the handle in the background.
  void close(Handle handle);
  /// Blocks until nothing is left to delete or close.
  void wait();
  /// Cancels all deletions in the folder. Blocks until no thread uses `folder` any more.
  void leave(int folder);

 private:
  struct Item {
    int folder;
    std::string name;
  };
  static constexpr int kNoFolder = -1;
  struct Worker {
    bool is_busy = false;
    int folder = kNoFolder;       ///< The one that it works in.
    bool is_interrupted = false;  ///< It must stop working on the current item.
  };
  struct Work {
    Item item{kNoFolder, {}};
    std::vector<Handle> handles;
  };

  void stop();
  void work(Worker& self, std::size_t most_waiting);
  std::size_t waiting() const { return items_.size() + handles_.size(); }
  Work take();
  void do_work(Worker& self, Work work);
  void remove(const Worker& self, const Item& item);
  bool add_found(const Worker& self, std::string name);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::vector<Handle> handles_;
  Worker workers_[2];
  bool is_stopping_ = false;
  std::thread behind_;
  std::thread helper_;
};

/// The staging folder: it holds content that is not published yet, and removed content that is
/// being deleted. It is on the file system of the roots that share it. Each process locks and uses
/// its own subfolder, so several processes can share a staging folder. The subfolder has a partial
/// name (storage::is_partial_name), which marks it as Coffer's. Safe from any thread.
class Staging {
 public:
  /// Uses an open folder. Finds out which steps on names its file system has
  /// (NameChanges::try_out). The reclaimer must outlive the returned object.
  static Result<std::unique_ptr<Staging>> open(Handle top, const Abilities& allowed,
                                               Reclaimer& reclaimer);
  /// Items that are not deleted yet stay until `sweep` is called at the program's next start.
  ~Staging();

  /// Deletes the subfolders of ended processes in the background. Items that these processes saved
  /// (`save`) are moved up into the staging folder instead. The subfolders of running processes are
  /// locked, and stay. What is not marked, or belongs to another user, stays and is logged.
  void sweep();

  /// True if another program has removed the process's own subfolder. Does not block.
  bool is_removed() const;
  /// True if the staging folder belongs to this process's user, as its file system tells it.
  bool is_ours() const { return has_our_owner(top_.get()); }

  /// Returns the descriptor of this process's own subfolder, in which items get new names.
  int folder() const { return own_.get(); }
  /// Changes names in and between the folders of this file system.
  const NameChanges& names() const { return names_; }
  /// Returns the item `name` in this process's subfolder.
  NameRef ref(const std::string& name) const { return {own_.get(), name.c_str()}; }
  /// Returns true on ext4. There, a crash leaves no half-written file if the data was on the disk
  /// before the file got its first name. The file must then be synced once more after publishing.
  bool orders_data() const { return orders_data_; }

  /// Makes a file, open for writing, or a folder under the new name `name` in this process's
  /// subfolder. It has the group, permissions and access control list that the file system gives to
  /// items which are made in `folder`. Returns an errno on failure: EXDEV if `folder` is on another
  /// file system. `folder` may be an O_PATH descriptor.
  Opened make_file(int folder, const std::string& name, mode_t mode) const;
  Opened make_folder(int folder, const std::string& name, mode_t mode) const;

  /// Deletes the file or the whole tree `name` in this process's subfolder, in the background.
  void reclaim(std::string name) { reclaimer_.add(own_.get(), std::move(name)); }
  /// Keeps the item `name` from being deleted, and logs its path. `file` is the name under which
  /// clients saw the item; it is also logged.
  void save(const std::string& name, std::string_view file);
  /// Closes the handle in the background: closing the last one of a large deleted file takes long.
  void close_behind(Handle handle) { reclaimer_.close(std::move(handle)); }

 private:
  Staging(Handle top, Handle own, std::string own_name, NameChanges names, Reclaimer& reclaimer);
  bool has_our_owner(int folder) const;
  std::string path() const;
  bool move_up_saved(int folder);
  int take_in(int folder, const std::string& born, const std::string& name) const;

  Handle top_;
  Handle own_;
  std::string own_name_;
  NameChanges names_;
  bool orders_data_ = false;
  Reclaimer& reclaimer_;
};

/// The staging folder that a volume uses now. A new one takes its place if another program has
/// removed it; what uses the old one keeps it. Safe from any thread, but for `set`.
class CurrentStaging {
 public:
  /// True if there is one whose folder was not removed. Does not block.
  bool stands() const {
    const Staging* const now = now_.load();
    return now != nullptr && !now->is_removed();
  }
  Staging& operator*() const { return *now_.load(); }
  Staging* operator->() const { return now_.load(); }
  /// Must not be called by two threads at once.
  void set(std::shared_ptr<Staging> staging) {
    now_ = staging.get();
    all_.push_back(std::move(staging));
  }

 private:
  std::atomic<Staging*> now_ = nullptr;
  std::vector<std::shared_ptr<Staging>> all_;
};

}  // namespace coffer::local
