#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/on_conflict.h"
#include "core/archive/packed_item.h"
#include "core/files/files.h"
#include "core/files/move_copy_service.h"
#include "core/files/placement.h"
#include "core/namespace/name_rules.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/uploads/upload.h"

namespace coffer::core {

/// The folder that archives are unpacked into. A path called `place` is relative to this folder.
/// Not safe for concurrent calls.
///
/// OnConflict decides what happens to an item whose name is taken in the folder:
/// - `fail`: the call fails with `exists`.
/// - `replace`: folders merge; a file replaces a file.
/// - `skip`: folders merge; a file is skipped.
/// - `keep_both`: a file gets a free name; a folder too, if it is at the archive's top level.
/// With `replace` and `skip`, a file is skipped if a folder has its name, and vice versa.
class UnpackTarget {
 public:
  struct Services {
    const Namespace& ns;
    MoveCopyService& move_copy;
    Files& files;
  };

  /// `folder` is a path from the principal's root. The services must outlive the UnpackTarget.
  UnpackTarget(Services services, Principal principal, Path folder,
               catalog::OnConflict on_conflict);

  /// Call it before the first item of each archive, so that `keep_both` never merges archives.
  void begin_archive();

  /// The reason for skipping an item, as a sentence; empty if the item is not skipped.
  using SkipReason = std::string;

  /// Checks an item before anything is created: `exists` if the folder has an item with the name of
  /// the first component of `place`.
  Task<Result<void>> check_free(const Path& place, const PackedItem& item);
  /// Creates a folder and its missing parents, or returns the reason for skipping it.
  Task<Result<SkipReason>> make_folder(const Path& place);
  struct NewFile {
    SkipReason reason = {};
    /// Reserves the name; must exist until the upload is published or destroyed.
    std::optional<TargetClaims::Claim> claim = {};
    std::unique_ptr<Upload> upload = {};  ///< Null if the item is skipped.
  };
  /// Begins the upload of a file, which the caller continues. Creates missing parent folders.
  Task<Result<NewFile>> begin_file(const Path& place, const PackedItem& item);

  /// Returns the path of `place` from the principal's root.
  Path path_of(const Path& place) const { return folder_ / place; }

 private:
  /// Resolves a path for writing.
  Task<Result<ResolvedPath>> resolve(const Path& place);
  Task<Result<std::optional<storage::Entry>>> stat(const Path& place);
  Task<Result<SkipReason>> check_top(const Path& place);
  /// Returns the path in the target folder for a folder of the archive: its first component is
  /// replaced as own_tops_ says. If a free name is needed and missing there, creates a top folder.
  Task<Result<Path>> rename_top(const Path& folder);
  bool needs_free_name() const;
  Task<Result<void>> check_stays();
  Task<Result<std::optional<TargetClaims::Claim>>> hold_for(const Path& folder);
  Task<Result<SkipReason>> make_parents(const Path& folder);
  struct Parent {
    SkipReason reason = {};
    Path folder = {};
  };
  Task<Result<Parent>> parent_of(const Path& place);
  Task<Result<std::unique_ptr<Upload>>> begin_upload(const Path& target, const PackedItem& item);
  /// A free path. If it has one component, a claim keeps other tasks from taking the name.
  struct FreePlace {
    Path place;
    std::optional<TargetClaims::Claim> claim = {};
  };
  Task<Result<bool>> claim_if_free(FreePlace& free);
  Task<Result<FreePlace>> find_free_place(Path place);
  Task<Result<std::string>> make_top(const Path& place);
  Task<Result<Path>> another_place(const Path& place);

  const Services services_;
  const Principal principal_;
  const Path folder_;
  const catalog::OnConflict on_conflict_;
  /// The names of the top folders that this task has created, by their names in the archive.
  std::map<std::string, std::string, std::less<>> own_tops_;
  std::set<std::string, std::less<>> checked_tops_;  ///< Names that `check_free` has checked.
  std::map<std::string, TakenNames> taken_names_;    ///< The names in use, by folder.
  Path last_folder_;                                 ///< A folder that is known to exist.
  bool was_there_ = false;                           ///< The target folder, when it was looked at.
};

}  // namespace coffer::core
