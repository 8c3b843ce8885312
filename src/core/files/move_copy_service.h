#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/accounts.h"
#include "catalog/tasks.h"
#include "core/accounts/quota.h"
#include "core/files/parking.h"
#include "core/files/placement.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/task_runner.h"

namespace coffer::core {

/// The resolved source and target of a move or copy.
struct MoveCopyRequest {
  ResolvedPath from;
  ResolvedPath to;         ///< The item's new path, in a folder that exists.
  bool is_folder = false;  ///< The item is a folder or a symbolic link to a folder.
};

/// A move or copy as a principal requests it.
struct MoveCopyCommand {
  Path from;
  Path folder;                    ///< The target folder.
  std::optional<Name> name = {};  ///< The new name; nullopt to keep the name.
  bool moves = false;             ///< False for a copy.
  bool from_bin = false;          ///< `from` is a path in a bin; `name` must be set.
};

/// Returns the path of a new item in a folder; `invalid` if the name is not allowed there.
Result<ResolvedPath> child_of(const ResolvedPath& folder, const Name& name);

/// Returns the path of the item called `name` in the parent folder of `place`.
ResolvedPath sibling_of(const ResolvedPath& place, const Name& name);

/// Checks that `place` is a folder. `not_found` if it is missing, `invalid` if it is a file.
Task<Result<void>> require_folder(const ResolvedPath& place);

/// Returns the error (`invalid`) for a request to put a folder into itself.
std::unexpected<Error> into_itself();

/// Resolves the source and the target. Checks the request and the rights, and that the source and
/// the target folder exist, but not whether the new name is taken. Files has the order of errors.
Task<Result<MoveCopyRequest>> plan_move_copy(const Namespace& ns, const Principal& principal,
                                             MoveCopyCommand command);

/// Moves and copies items within and between backends. Updates the quota and the keys' scopes. The
/// caller must have checked the rights; they are checked again before each change. Safe from any
/// thread.
class MoveCopyService {
 public:
  MoveCopyService(Mounts& mounts, AccessRecheck& access_recheck, const Quota& quota,
                  TaskRunner& task_runner, FolderChanges& folder_changes, Parking& parking)
      : mounts_(mounts),
        quota_(quota),
        task_runner_(task_runner),
        access_recheck_(access_recheck),
        folder_changes_(folder_changes),
        parking_(parking) {}

  Parking& parking() { return parking_; }

  /// Renames an item within one backend. `exists` if the new name is taken, `conflict` if something
  /// is being copied or moved into the item.
  Task<Result<void>> rename(const Principal& principal, const ResolvedPath& from,
                            const ResolvedPath& to);
  /// Renames `from` back to its old path `to`. Checks no rights: they may have been lost meanwhile.
  Task<Result<void>> rename_back(const Principal& principal, const ResolvedPath& from,
                                 const ResolvedPath& to);
  /// Claims a path for an item that the caller creates: until the claim is destroyed, no other
  /// operation copies or moves an item to it. Replaces symbolic links in `to.path`. Errors:
  /// - `exists` if the path is already claimed
  /// - `conflict` if a folder above the path is being renamed or moved
  /// - `not_found` if the parent folder of the path does not exist
  Task<Result<TargetClaims::Claim>> claim_target(AccountId account, ResolvedPath& to);
  /// Claims an item that the caller renames or removes: until the claim is destroyed, nothing is
  /// copied or moved into the item. `conflict` if something is being copied or moved into the item.
  /// `from` must not contain symbolic links (see follow_links).
  Task<Result<TargetClaims::Claim>> claim_source(AccountId account, const ResolvedPath& from);
  /// Moves an item. Within one backend this is a rename. To another backend it is a task, which
  /// continues after the client disconnects: it copies the item, verifies the copy and deletes the
  /// source. If the principal loses a right during the copy, the task creates nothing. Errors:
  /// - `exists` if the new name is taken, or another copy or move has the same target
  /// - `conflict` if something is being copied or moved into the source
  Task<Result<void>> move(const Principal& principal, MoveCopyRequest request);
  /// Copies an item. The copy is a task, which continues after the client disconnects. If the
  /// principal loses a right meanwhile, the task creates nothing. `exists` if the new name is taken
  /// or another copy or move has the same target.
  Task<Result<void>> copy(const Principal& principal, MoveCopyRequest request);

  /// Moves an item like `move`, but as a step of the task `running` instead of a new task.
  Task<Result<void>> move_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);
  /// Copies an item like `copy`, but as a step of the task `running` instead of a new task.
  Task<Result<void>> copy_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);

 private:
  /// Checks again that the principal has the rights to the operation.
  using Recheck = std::function<Task<Result<void>>()>;
  /// Those of a move: once the copy shows, the target is no change any more.
  struct MoveRechecks {
    Recheck until_shown;
    Recheck from_then_on;
  };
  Task<Result<void>> rename(AccountId account, ResolvedPath from, ResolvedPath to,
                            Recheck may_rename);
  using Claims = std::vector<TargetClaims::Claim>;
  Task<Result<Claims>> claim_for_move(AccountId account, MoveCopyRequest& request);
  Task<Result<Claims>> claim_for_copy(AccountId account, MoveCopyRequest& request);
  Task<Result<void>> in_task(const Principal& principal, catalog::TaskKind kind,
                             MoveCopyRequest request, Claims claims);
  Task<Result<void>> do_copy(Principal principal, const MoveCopyRequest& request, Recheck recheck,
                             RunningTask& running);
  Recheck recheck_copy(const Principal& principal, const ResolvedPath& from,
                       const ResolvedPath& to);
  MoveRechecks rechecks_of_move(const Principal& principal, const ResolvedPath& from,
                                const ResolvedPath& to);
  Task<Result<void>> copy_within(Principal principal, const ResolvedPath& from,
                                 const ResolvedPath& to, Recheck recheck, RunningTask& running);
  /// Checks the rights just before a copy is published. If the principal is limited to a folder,
  /// first sets `lock` (FolderChanges::lock_scope), so that the folder is not renamed meanwhile.
  Task<Result<void>> may_show(const Principal& principal, const ResolvedPath& to,
                              const Recheck& recheck, std::optional<FolderLocks::Lock>& lock);
  Task<Result<void>> copy_across(Principal principal, const ResolvedPath& from,
                                 const ResolvedPath& to, Recheck recheck, RunningTask& running);
  Task<Result<void>> move_across(AccountId account, const ResolvedPath& from,
                                 const ResolvedPath& to, MoveRechecks rechecks,
                                 RunningTask& running);
  /// The changes of keys for the move of an item to another backend. At the end of `move`, keys get
  /// their new scopes. `deletion` is set if the source keeps its name until it is deleted; it
  /// revokes the keys that are created for the source in the meantime.
  struct MoveChanges {
    std::optional<FolderChanges::Change> move;
    std::optional<FolderChanges::Change> deletion;
    std::optional<Parking::Note> parked;  ///< Of the source.
    bool may_be_shown = false;            ///< What is at the target may be the copy.
  };
  /// Notes the source, which gets the name `aside`, in `changes.parked`.
  Task<Result<void>> note_copied(AccountId account, const ResolvedPath& from, const Name& aside,
                                 Parking::Copy copy, MoveChanges& changes);
  /// Begins `changes.move`, and then checks the rights for the last time.
  Task<Result<void>> begin_move(AccountId account, const ResolvedPath& from, const ResolvedPath& to,
                                const Name& aside, const Recheck& recheck, MoveChanges& changes);
  /// Ends `changes.move` after the copy has its name, so that other changes of the target succeed
  /// even before the source is deleted. Begins `changes.deletion` if it is needed.
  Task<Result<void>> leave_source(AccountId account, const ResolvedPath& from,
                                  MoveChanges& changes);
  /// Ends the note of the source, if that has its own name or is gone.
  static Task<void> end_note(MoveChanges& changes, const TransferProgress& progress);
  /// Called when the copy will not show: what others put in its place is no copy.
  static Task<void> give_up(MoveChanges& changes, const TransferProgress& progress);
  /// Ends `changes.move` after a failure: the keys keep their scopes, or are revoked if the source
  /// may not have its name any more.
  static Task<void> keep_keys(MoveChanges& changes, const TransferProgress& progress);
  Reservation reservation(const ResolvedPath& place) { return {quota_, place.quota_account}; }

  Mounts& mounts_;
  const Quota quota_;
  TaskRunner& task_runner_;
  AccessRecheck& access_recheck_;
  FolderChanges& folder_changes_;
  Parking& parking_;
  TargetClaims target_claims_;
};

}  // namespace coffer::core
