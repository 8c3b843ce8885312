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

/// The folder that archives are unpacked into, and the handling of names that are taken there:
/// `fail` is an `exists`; with `replace` and `skip` folders merge, and a file replaces a file or is
/// skipped; with `keepBoth` a folder at an archive's top, and every file, gets another name. A file
/// never replaces a folder, nor a folder a file. Not safe for concurrent calls.
class UnpackTarget {
 public:
  struct Services {
    const Namespace& ns;
    MoveCopyService& move_copy;
    Files& files;
  };

  /// The services must outlive it; `folder` is from the principal's root.
  UnpackTarget(Services services, Principal principal, Path folder,
               catalog::OnConflict on_conflict);

  /// Begins another archive.
  void begin_archive();

  /// The reason for skipping an item, a sentence; empty if it is not skipped.
  using SkipReason = std::string;

  /// Checks a path in the folder before anything is created: `exists` if the name is taken.
  Task<Result<void>> check_free(const Path& place, const PackedItem& item);
  /// Creates a folder and its missing parents.
  Task<Result<SkipReason>> make_folder(const Path& place);
  /// Begins a file in the same way.
  struct NewFile {
    SkipReason reason = {};
    /// Claims its name until it is published or cancelled.
    std::optional<TargetClaims::Claim> claim = {};
    std::unique_ptr<Upload> upload = {};  ///< Null if the item is skipped.
  };
  Task<Result<NewFile>> begin_file(const Path& place, const PackedItem& item);

  /// From the principal's root.
  Path path_of(const Path& place) const { return folder_ / place; }

 private:
  /// Resolves a path in the folder.
  Task<Result<ResolvedPath>> resolve(const Path& place);
  Task<Result<std::optional<storage::Entry>>> stat(const Path& place);
  Task<Result<SkipReason>> check_top(const Path& place);
  /// Returns the path with the name that its top folder has here, and creates that folder if
  /// needed.
  Task<Result<Path>> rename_top(const Path& folder);
  bool needs_free_name() const;
  Task<Result<SkipReason>> make_parents(const Path& folder);
  struct Parent {
    SkipReason reason = {};
    Path folder = {};
  };
  Task<Result<Parent>> parent_of(const Path& place);
  Task<Result<std::unique_ptr<Upload>>> begin_upload(const Path& target, const PackedItem& item);
  /// A free path; at the folder's top with a claim, so that no other task takes it.
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
  /// The top folders that this task has created, by their names in the archive.
  std::map<std::string, std::string, std::less<>> own_tops_;
  std::set<std::string, std::less<>> checked_tops_;  ///< For `check_free`.
  std::map<std::string, TakenNames> taken_names_;    ///< By folder.
  Path last_folder_;                                 ///< The last folder that exists.
};

}  // namespace coffer::core
