#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/local/handle.h"
#include "backends/local/tree_walk.h"
#include "base/error.h"

namespace coffer::local {

/// Copies the tree in one folder to another while requests change it: files, folders, symbolic
/// links, permissions, times and `user.*` attributes. A name of the tree always leads to a whole
/// file (docs/publishing.md), so each copy is of one, but a pass may miss what is moved meanwhile.
/// Not safe for concurrent calls.
class TreeMirror {
 public:
  struct Options {
    /// Returns false for an item that is left out with all below it. `path` is from the top.
    std::function<bool(const std::string& path)> has = {};
    /// User and group of all copies; absent: those of the originals, where this process may give
    /// them.
    std::optional<std::pair<uid_t, gid_t>> owner = {};
  };
  /// Both are open folders; the target has to be empty before the first pass.
  TreeMirror(Handle source, Handle target, Options options);

  /// Copies the tree in several passes: one, then others that remove what is gone, then others that
  /// remove nothing; each kind is repeated, up to ten times, until one misses nothing. So an item
  /// that was there all the time and was moved once is in the copy, under its old name or its new
  /// one. Names in errors are from the top.
  Result<void> copy();

  /// Whether a pass removes from the copy what is gone from the tree.
  enum class Gone : bool { stays, goes };
  /// Copies what is new or has changed since the last pass. Returns whether an item was gone from
  /// its name when the pass came to it: it was moved or removed.
  Result<bool> pass(Gone gone);
  /// Gives the copied folders their permissions and times. Call it after the last pass.
  Result<void> finish();

  /// What the last pass found, and what is in the copy.
  std::uint64_t files() const { return files_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Pending {
    WalkedFolder from;
    WalkedFolder to;
    std::string path;  ///< Of the folder; empty for the top, else with a slash at its end.
  };
  struct Item {
    int from;  ///< The folders that it is in.
    int to;
    const char* name;
    std::string path;
  };

  Result<void> mirror_folder(Pending& folder, Gone gone);
  Result<void> mirror_item(Pending& folder, const Item& item);
  Result<void> mirror_file(const Item& item, const Handle& file, const struct ::statx& status);
  Result<void> mirror_link(const Item& item);
  Result<void> make_folder(const Item& item);
  static Result<void> make_room(const Item& item);
  bool is_copied(const Item& item, const struct ::statx& status) const;
  void give_owner(int item) const;

  const Handle source_;
  const Handle target_;
  const Options options_;
  std::vector<Pending> pending_;
  /// The inodes of the folders that were copied: another one has the name of one that was moved.
  std::map<std::string, std::uint64_t> folders_;
  std::vector<std::string> unfilled_;  ///< Folders that were gone before their content was read.
  bool is_first_ = true;
  bool has_missed_ = false;
  std::time_t begun_ = 0;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace coffer::local
