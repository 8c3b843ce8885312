#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "backends/local/handle.h"
#include "base/error.h"
#include "base/random.h"

namespace coffer::local {

/// Deletes items in staging folders, on one thread of low priority. It deletes a tree from the top,
/// and first moves subfolders up into the staging folder. So a tree may have any depth. If the
/// program stops before the end, its next start finds all that is left. Safe from any thread.
class Reclaimer {
 public:
  /// Starts the thread. Throws std::system_error if the thread cannot be started. `add` needs no
  /// new thread, so it cannot fail in this way.
  Reclaimer();
  /// Stops the thread soon, even in the middle of a tree.
  ~Reclaimer();
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;

  /// Deletes the file or the whole tree `name` in the folder, in the background. The descriptor
  /// must stay open until `leave` was called for it.
  void add(int folder, std::string name);
  /// Closes the handle in the background.
  void close(Handle handle);
  /// Blocks until nothing is left to delete or close.
  void wait();
  /// Drops the remaining work in the folder. Blocks shortly, until the thread has left the folder.
  void leave(int folder);

 private:
  struct Item {
    int folder;
    std::string name;
  };
  static constexpr int kNoFolder = -1;

  void work();
  void remove(const Item& item);
  void empty_folder(const Item& item);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::vector<Handle> handles_;
  bool is_busy_ = false;
  int working_in_ = kNoFolder;
  bool is_interrupted_ = false;  ///< The thread has to stop working on the current item.
  bool is_stopping_ = false;
  std::thread thread_;
};

/// Returns a new random name for an item in a staging folder.
inline std::string new_staging_name() {
  return random_hex(16);
}

/// The staging folder: it holds content that is not published yet, and removed content that is
/// being deleted. It is on the file system of the roots that share it. Each process locks and uses
/// its own subfolder, so several processes can share a staging folder. Safe from any thread.
class Staging {
 public:
  /// Opens the folder, and creates it if it is missing (mode 0700). If `unnamed_files`, checks how
  /// an unnamed file can get a name (`links`). The reclaimer must outlive the staging folder.
  static Result<std::unique_ptr<Staging>> open(const std::filesystem::path& path,
                                               bool unnamed_files, Reclaimer& reclaimer);
  /// Items that remain are deleted when the program starts again (`sweep`).
  ~Staging();

  /// Returns true if the folder at `path` is the one that was opened.
  bool stands_at(const std::filesystem::path& path) const;

  /// Deletes the items of ended processes in the background. Items that these processes saved
  /// (`save`) are moved up into the staging folder instead. The subfolders of running processes are
  /// locked, and stay.
  void sweep();

  /// Returns the descriptor of this process's own subfolder, where new names are made.
  int folder() const { return own_.get(); }
  /// The way in which an unnamed file (O_TMPFILE) can get a name on this file system.
  enum class Links : std::uint8_t { none, by_handle, by_proc };
  Links links() const { return links_; }
  /// Gives an open file a name in `folder`. `links` must not be `none`. Returns 0 or an errno.
  int link(int file, int folder, const char* name) const {
    return link_by(links_, file, folder, name);
  }
  /// Returns true on ext4. There, data survives a crash if it was written to the disk before the
  /// file got its first name. The file must still be synced later, since ext4 may have no journal.
  bool orders_data() const { return orders_data_; }

  /// Deletes the file or the whole tree `name` in this process's subfolder, in the background.
  void reclaim(std::string name) { reclaimer_.add(own_.get(), std::move(name)); }
  /// Keeps the item `name` from being deleted, and logs its path. `file` is the name under which
  /// the item was visible.
  void save(const std::string& name, std::string_view file);
  /// Closes the handle in the background: closing the last one of a large deleted file takes long.
  void close_behind(Handle handle) { reclaimer_.close(std::move(handle)); }

 private:
  Staging(const std::filesystem::path& path, Handle top, Handle own, std::string own_name,
          Reclaimer& reclaimer);
  void move_up_saved(const std::string& folder);
  void find_links();
  static int link_by(Links way, int file, int folder, const char* name);

  const std::filesystem::path path_;
  Handle top_;
  Handle own_;
  std::string own_name_;
  Links links_ = Links::none;
  bool orders_data_ = false;
  Reclaimer& reclaimer_;
};

}  // namespace coffer::local
