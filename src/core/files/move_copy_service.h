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
#include "core/files/placement.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/task_runner.h"

namespace coffer::core {

/// The source and the target of a move or copy.
struct MoveCopyRequest {
  ResolvedPath from;
  ResolvedPath to;         ///< The item's new path, in a folder that exists.
  bool is_folder = false;  ///< The item is a folder, or a link to one.
};

/// A principal's request.
struct MoveCopyCommand {
  Path from;
  Path folder;                    ///< The target folder.
  std::optional<Name> name = {};  ///< The new name; nullopt for the item's own.
  bool moves = false;
  bool from_bin = false;  ///< `from` is a path in a bin, and `name` is given.
};

/// The path of a new item in a folder; `invalid` for a name that cannot be created there.
Result<ResolvedPath> child_of(const ResolvedPath& folder, const Name& name);

/// The path beside `place` with another name.
ResolvedPath sibling_of(const ResolvedPath& place, const Name& name);

/// `not_found` if there is nothing, `invalid` if it is not a folder.
Task<Result<void>> require_folder(const ResolvedPath& place);

std::unexpected<Error> into_itself();

/// Resolves source and target, with errors in the order of the contract: first those of the request
/// itself. Does not check whether the new name is taken.
Task<Result<MoveCopyRequest>> plan_move_copy(const Namespace& ns, const Principal& principal,
                                             MoveCopyCommand command);

/// Moves and copies items within and between backends, and updates the quota and the keys' scopes.
/// The caller has checked the rights. Safe from any thread.
class MoveCopyService {
 public:
  MoveCopyService(Mounts& mounts, AccessRecheck& access_recheck, const Quota& quota,
                  TaskRunner& task_runner, FolderChanges& folder_changes)
      : mounts_(mounts),
        quota_(quota),
        task_runner_(task_runner),
        access_recheck_(access_recheck),
        folder_changes_(folder_changes) {}

  /// Within one backend. `exists` if the name is taken, `conflict` while a copy or move into the
  /// folder is under way.
  Task<Result<void>> rename(const Principal& principal, const ResolvedPath& from,
                            const ResolvedPath& to);
  /// Reverts a rename without checking rights, which may have been lost meanwhile.
  Task<Result<void>> rename_back(const Principal& principal, const ResolvedPath& from,
                                 const ResolvedPath& to);
  /// Claims a path for another new item: nothing is copied or moved there until the claim is
  /// destroyed. Replaces links in `to.path`. `exists` if the path is claimed already, `conflict`
  /// while a folder above it is moved.
  Task<Result<TargetClaims::Claim>> claim_target(AccountId account, ResolvedPath& to);
  /// Claims an item for another rename or removal: nothing is copied or moved into it until the
  /// claim is destroyed. `conflict` while something is.
  Task<Result<TargetClaims::Claim>> claim_source(AccountId account, ResolvedPath from);
  /// Renames within one backend. Between backends it is a task, which continues after the client
  /// disconnects: a copy, whose source is deleted once the copy was verified, and into which
  /// nothing is copied or moved until then. `conflict` as for a rename.
  Task<Result<void>> move(const Principal& principal, MoveCopyRequest request);
  /// Copies as a task, which continues after the client disconnects. This and a move between
  /// backends stop when a right to them is lost, and then create nothing; `exists` while another
  /// one has the same target.
  Task<Result<void>> copy(const Principal& principal, MoveCopyRequest request);

  /// The same as a step of a running task.
  Task<Result<void>> move_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);
  Task<Result<void>> copy_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);

 private:
  /// Checks again that the rights to the operation stand.
  using Recheck = std::function<Task<Result<void>>()>;
  Task<Result<void>> rename(AccountId account, const ResolvedPath& from, const ResolvedPath& to,
                            Recheck may_rename);
  using Claims = std::vector<TargetClaims::Claim>;
  Task<Result<Claims>> claim_for_move(AccountId account, MoveCopyRequest& request);
  Task<Result<Claims>> claim_for_copy(AccountId account, MoveCopyRequest& request);
  Task<Result<void>> do_copy(Principal principal, const MoveCopyRequest& request, Recheck recheck,
                             RunningTask& running);
  Recheck recheck(const Principal& principal, const ResolvedPath& from, const ResolvedPath& to,
                  bool moves);
  Task<Result<void>> copy_within(Principal principal, const ResolvedPath& from,
                                 const ResolvedPath& to, Recheck recheck, RunningTask& running);
  /// Checks the rights, and locks the name of a limited key's folder with `still`.
  Task<Result<void>> may_show(const Principal& principal, const Recheck& recheck,
                              std::optional<FolderLocks::Lock>& lock);
  Task<Result<void>> copy_across(const ResolvedPath& from, const ResolvedPath& to, Recheck recheck,
                                 RunningTask& running);
  Task<Result<void>> move_across(AccountId account, const ResolvedPath& from,
                                 const ResolvedPath& to, Recheck recheck, RunningTask& running);
  /// Begins the keys' change before the source of a move is deleted.
  Task<Result<void>> begin_change(AccountId account, const ResolvedPath& from,
                                  const ResolvedPath& to,
                                  std::optional<FolderChanges::Change>& change);
  /// Ends the keys' change when the source of a move has lost its name, or is about to: operations
  /// on the target wait no longer.
  Task<Result<void>> end_change_of_source(AccountId account, const ResolvedPath& from,
                                          std::optional<FolderChanges::Change>& change);
  Reservation reservation(const ResolvedPath& place) { return {quota_, place.quota_account}; }

  Mounts& mounts_;
  const Quota quota_;
  TaskRunner& task_runner_;
  AccessRecheck& access_recheck_;
  FolderChanges& folder_changes_;
  TargetClaims target_claims_;
};

}  // namespace coffer::core
