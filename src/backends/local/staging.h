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

/// Deletes items in staging folders, on a single thread of low priority. Trees are taken apart from
/// the top: sub-folders move up into the staging folder first, so no depth is too great, and the
/// next start finds what a stop left. Safe from any thread.
class Reclaimer {
 public:
  /// Throws std::system_error if the system has no thread. Adding items later needs no new thread,
  /// since it happens in destructors.
  Reclaimer();
  /// Ends the thread soon, also in the middle of a tree.
  ~Reclaimer();
  Reclaimer(const Reclaimer&) = delete;
  Reclaimer& operator=(const Reclaimer&) = delete;

  /// Deletes the item of that name, a tree too. The folder must stay open until `leave`.
  void add(int folder, std::string name);
  void close(Handle handle);
  /// Returns when nothing is left to do.
  void wait();
  /// Drops the work that remains in the folder; returns soon, when no work is done there any more.
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
  bool is_interrupted_ = false;  ///< The current item is to be left as it is.
  bool is_stopping_ = false;
  std::thread thread_;
};

/// A new name for an item in a staging folder.
inline std::string new_staging_name() {
  return random_hex(16);
}

/// The folder where new content is collected and removed content is reclaimed, on the file system
/// of the roots that share it. Each process works in a locked folder of its own in it, so that
/// several processes may share one staging folder. Safe from any thread.
class Staging {
 public:
  /// Makes the folder if it is missing (0700). `unnamed_files`: find out if the file system has
  /// files without a name. The reclaimer must outlive it.
  static Result<std::unique_ptr<Staging>> open(const std::filesystem::path& path,
                                               bool unnamed_files, Reclaimer& reclaimer);
  /// The next start reclaims the items that remain.
  ~Staging();

  /// True if the folder at `path` is the one that was opened.
  bool stands_at(const std::filesystem::path& path) const;

  /// Reclaims what ended processes left in the staging folder; saved items (`save`) move up into
  /// it. The folders of running processes are locked and stay.
  void sweep();

  /// This process's own folder, for new names.
  int folder() const { return own_.get(); }
  /// The way to give a file without a name (O_TMPFILE) one here.
  enum class Links : std::uint8_t { none, by_handle, by_proc };
  Links links() const { return links_; }
  /// Gives it a name; the errno, or 0. Only if `links` is not `none`.
  int link(int file, int folder, const char* name) const {
    return link_by(links_, file, folder, name);
  }
  /// True on ext4: after a crash a file has the data that was written out before it was linked, and
  /// an fsync of the file must follow its first link, since there may be no journal.
  bool orders_data() const { return orders_data_; }

  /// Deletes the item of that name, a tree too, in the background.
  void reclaim(std::string name) { reclaimer_.add(own_.get(), std::move(name)); }
  /// Keeps the item of that name, once shown as `file`, from being reclaimed, and logs its path.
  void save(const std::string& name, std::string_view file);
  /// Closes a handle in the background: closing the last one of a large deleted file takes long.
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
