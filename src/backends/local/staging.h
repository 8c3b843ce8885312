#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "backends/local/handle.h"
#include "backends/local/reclaimer.h"
#include "base/error.h"

namespace coffer::local {

/// The folder, on the file system of the roots that share it, where new content is collected and
/// from where removed content is reclaimed. Each process that opens it works in a locked folder of
/// its own in there, so that several may share one staging folder. Safe from any thread.
class Staging {
 public:
  /// Makes the folder if it is missing (0700). `unnamed_files`: look whether the file system has
  /// files without a name. The reclaimer must outlive it.
  static Result<std::unique_ptr<Staging>> open(const std::filesystem::path& path,
                                               bool unnamed_files, Reclaimer& reclaimer);
  /// What remains to be reclaimed is reclaimed after the next start.
  ~Staging();

  /// False if another folder than the one that was opened is there now.
  bool stands_at(const std::filesystem::path& path) const;

  /// Reclaims what processes that are gone left in the staging folder, but what was saved in there
  /// moves up. A process's own folder is locked, so that no other process sweeps it.
  void sweep();

  /// The handle relative to which new names are made.
  int folder() const { return own_.get(); }
  /// How a file that was opened without a name (O_TMPFILE) can be given one here.
  enum class Links : std::uint8_t { none, by_handle, by_proc };
  Links links() const { return links_; }
  /// Gives it one; the errno, or 0. Only where `links` is not `none`.
  int link(int file, int folder, const char* name) const {
    return link_by(links_, file, folder, name);
  }
  /// True on ext4: a file whose data is written out is not found without it after a crash, and,
  /// for lack of a journal maybe, an fsync of the file must follow its first link.
  bool orders_data() const { return orders_data_; }

  /// Deletes the item of that name, a tree too, behind the caller's back.
  void reclaim(std::string name) { reclaimer_.add(own_.get(), std::move(name)); }
  /// Keeps the item of that name, which was `file` for its owner, where nothing reclaims it, and
  /// tells the log where that is.
  void save(const std::string& name, std::string_view file);
  /// Closes a handle behind the caller's back: the last one on a large deleted file takes long.
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
