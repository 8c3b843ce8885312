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

/// The folder that archives are unpacked into, and what becomes of names that are taken there:
/// `fail` is an `exists`; with `replace` and `skip` folders merge, and a file takes a file's place
/// or is left out; with `keepBoth` a folder at an archive's top, and every file, gets another name.
/// A file and a folder never take each other's place. Not safe for concurrent calls.
class UnpackTarget {
 public:
  struct Services {
    HomeDirectories& homes;
    Mounts& mounts;
    const Quota& quota;
    FolderChanges& folder_changes;
    AccessRecheck& access_recheck;
    MoveCopyService& move_copy;
    Files& files;
  };

  /// All of the services outlive it; `folder` is from the principal's root.
  UnpackTarget(Services services, Principal principal, Path folder,
               catalog::OnConflict on_conflict);

  /// Another archive's items follow.
  void begin_archive();

  /// What an item is left out for, a whole sentence; empty if it is not.
  using Obstacle = std::string;

  /// Before anything is done, at places in the folder: `exists` if the name is taken.
  Task<Result<void>> check_free(const Path& place, const PackedItem& item);
  /// Makes a folder there, with those that it is in.
  Task<Result<Obstacle>> make_folder(const Path& place);
  /// Begins a file there in the same way.
  struct NewFile {
    Obstacle obstacle = {};
    /// Its name, until it is shown or given up.
    std::optional<TargetClaims::Claim> claim = {};
    std::unique_ptr<Upload> upload = {};  ///< Null with an obstacle.
  };
  Task<Result<NewFile>> begin_file(const Path& place, const PackedItem& item);

  /// From the principal's root.
  Path path_of(const Path& place) const { return folder_ / place; }

 private:
  /// The folder, or something in it.
  Task<Result<ResolvedPath>> resolve(Namespace& ns, const Path& place);
  Task<Result<std::optional<storage::Entry>>> look(const Path& place);
  Task<Result<Obstacle>> check_top(const Path& place);
  /// As it is called here.
  Task<Result<Path>> settle_top(const Path& folder);
  bool asks() const;
  Task<Result<Obstacle>> open_way(const Path& folder);
  struct Way {
    Obstacle obstacle = {};
    Path folder = {};
  };
  Task<Result<Way>> way_to(const Path& place);
  Task<Result<std::unique_ptr<Upload>>> begin_upload(const Path& target, const PackedItem& item);
  /// A place that nothing has, and at the folder's top nothing else of the program takes either.
  struct Spot {
    Path place;
    std::optional<TargetClaims::Claim> claim = {};
  };
  Task<Result<bool>> take_if_free(Spot& spot);
  Task<Result<Spot>> find_spot(Path place);
  Task<Result<std::string>> make_top(const Path& place);
  Task<Result<Path>> another_place(const Path& place);

  const Services services_;
  const Principal principal_;
  const Path folder_;
  const catalog::OnConflict on_conflict_;
  /// The folders at the top that this task has made, by their names in the archive.
  std::map<std::string, std::string, std::less<>> own_tops_;
  std::set<std::string, std::less<>> checked_tops_;  ///< Of `check_free`.
  std::map<std::string, TakenNames> taken_names_;    ///< By the folder that they are in.
  Path way_;                                         ///< The last folder that was there.
};

}  // namespace coffer::core
