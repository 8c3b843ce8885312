#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "backends/local/abilities.h"
#include "backends/local/status.h"
#include "base/error.h"
#include "base/random.h"

namespace coffer::local {

/// Returns a new random name for an item in a staging folder.
inline std::string new_staging_name() {
  return random_hex(16);
}

/// An item as an open folder and a name in that folder. Does not own either.
struct NameRef {
  int folder;
  const char* name;
};

/// Changes names on one file system by the steps that it has; docs/guarantees.md tells what holds
/// with which of them. The only place that calls renameat2(2) and linkat(2) for published items.
/// Calls return 0 or an errno unless they say otherwise, and block. Safe from any thread.
class NameChanges {
 public:
  /// Finds out what the file system of an open, empty folder can do, by trying each step and
  /// looking at its effect. `allowed` are the steps that may be used. `forbidden` if files cannot
  /// be renamed at all.
  static Result<NameChanges> try_out(int folder, const Abilities& allowed);

  bool has_unnamed_files() const { return links_ != Links::none; }
  /// Gives the open file `file` the name `to`, which must be free. For a file without a name,
  /// `has_unnamed_files` must be true. EOPNOTSUPP if the file system has no hard links.
  int link_open(int file, NameRef to) const;

  /// Returns true if `show_file` is atomic even if others change names meanwhile. Otherwise its
  /// callers must exclude each other (Volume::steps).
  bool adds_side_by_side() const { return can_.noreplace || can_.hard_links; }
  /// Gives a staged file the name `to`. EEXIST if it is taken.
  int show_file(NameRef staged, NameRef to) const;
  /// Renames any item. EEXIST if `to` is taken. The caller must exclude other changes of names,
  /// unless `to` is a new random name: without RENAME_NOREPLACE this looks first and then renames,
  /// so that another program that takes the name between the two loses a file.
  int rename_to_free(NameRef from, NameRef to) const;
  /// Renames an item to another name of itself, one that differs in case alone.
  static int rename_onto_itself(NameRef from, NameRef to);

  struct Replaced {
    Status status;          ///< Of the replaced item; see kEntryMask.
    std::string kept_name;  ///< Its name in the folder of `staged`; empty if it could not be kept.
  };
  /// Whether an item of this status may be replaced.
  using MayReplace = std::function<bool(const Status&)>;
  /// Puts a staged file in the place of the item `target` atomically. The replaced item keeps a
  /// name beside the staged file if the file system allows that. Returns an errno if it fails:
  /// ENOENT if `target` is missing. The caller must exclude other changes of names. If the two
  /// cannot change places, first looks at the item and asks `may_replace`, and returns ECANCELED
  /// if it says no. Otherwise the caller has to look at Replaced::status, and can put the item
  /// back.
  std::expected<Replaced, int> replace(NameRef staged, NameRef target,
                                       const MayReplace& may_replace = {}) const;
  /// Puts an item that `replace` kept back in the place of the file that replaced it, or under a
  /// free name. Returns the name that this file then has in the folder of `kept`, empty if it is
  /// gone; or an errno.
  std::expected<std::string, int> put_back(NameRef kept, NameRef target) const;

 private:
  enum class Links : std::uint8_t { none, by_handle, by_proc };

  explicit NameChanges(const Abilities& can) : can_(can) {}
  static int link_by(Links way, int file, NameRef to);
  void find_links(int folder);
  std::expected<std::string, int> put_back_by_link(NameRef kept, NameRef target) const;
  std::expected<Replaced, int> replace_by_link(NameRef staged, NameRef target,
                                               const MayReplace& may_replace) const;

  Abilities can_;
  Links links_ = Links::none;
};

/// Returns the error for a failed rename or link between the folders of two items:
/// - `invalid` if a folder would be moved into itself, or the new name is not allowed,
/// - `forbidden` if the item would move to another file system, or the system does not let it move,
/// - otherwise the error of creation_error.
Error move_error(int code, NameRef from, NameRef to);

/// Returns the error for a folder that would be moved or copied into itself: `invalid`.
Error into_itself();

}  // namespace coffer::local
