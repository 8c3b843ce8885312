#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backends/local/handle.h"
#include "backends/local/reclaimer.h"
#include "base/error.h"

namespace coffer::local {

/// The folder, on the root's file system, where new content is collected and from where removed
/// content is reclaimed. Each process that opens it works in a locked folder of its own in there,
/// so that several may share one staging folder. Safe from any thread.
class Staging {
 public:
  /// Makes the folder if it is missing (0700), and reclaims what processes that are gone left in
  /// it.
  static Result<std::unique_ptr<Staging>> open(const std::filesystem::path& path);
  /// Stops reclaiming; what remains is reclaimed after the next start.
  ~Staging();

  /// The handle relative to which new names are made.
  int folder() const { return own_.get(); }
  /// A name that nothing in the folder has.
  static std::string new_name();

  /// Deletes the item of that name, a tree too, behind the caller's back.
  void reclaim(std::string name) { reclaimer_.add(std::move(name)); }
  /// Closes a handle behind the caller's back: the last one on a large deleted file takes long.
  void close_behind(Handle handle) { reclaimer_.close(std::move(handle)); }
  /// Returns when everything given so far is reclaimed.
  void wait_reclaimed() { reclaimer_.wait(); }

 private:
  Staging(Handle top, Handle own, std::string own_name);
  void sweep();

  Handle top_;
  Handle own_;
  std::string own_name_;
  Reclaimer reclaimer_;
};

}  // namespace coffer::local
