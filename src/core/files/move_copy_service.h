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

/// From where to where a move or copy goes, and the namespace that keeps both backends alive.
struct MoveCopyRequest {
  Namespace ns;
  ResolvedPath from;
  ResolvedPath to;         ///< The item's own new place, in a folder that exists.
  bool is_folder = false;  ///< The item, or what a link leads to.
};

/// What a principal asks for.
struct MoveCopyCommand {
  Path from;
  Path folder;                    ///< Where the item is to be,
  std::optional<Name> name = {};  ///< under its own name if none is given.
  bool moves = false;
  bool from_bin = false;  ///< `from` is a path in a bin, and `name` is given.
};

/// The place that an item takes in a folder; `invalid` for a name that cannot be made there.
Result<ResolvedPath> child_of(const Namespace& ns, const ResolvedPath& folder, const Name& name);

/// The place beside it under another name.
ResolvedPath sibling_of(const ResolvedPath& place, const Name& name);

/// `invalid` where it is no folder.
Task<Result<void>> require_folder(const ResolvedPath& place);

std::unexpected<Error> into_itself();

/// Finds both ends, with errors in the order of the contract: what the request itself says comes
/// before what is there. Whether the new name is taken is not looked at.
Task<Result<MoveCopyRequest>> plan_move_copy(Namespace ns, MoveCopyCommand command);

/// Takes items to other places, whatever backends these are in, with the quota and the keys' scopes
/// in step. Rights were checked before. Safe from any thread.
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
  /// The same for what was renamed just now and is to have its name again, whatever rights were
  /// lost meanwhile.
  Task<Result<void>> rename_back(const Principal& principal, const ResolvedPath& from,
                                 const ResolvedPath& to);
  /// For something else that is to show at a place: nothing is copied or moved there until the
  /// claim goes. From then on the path of the place has no links. `exists` where another one has
  /// it, `conflict` while a folder above it leaves its place.
  Task<Result<TargetClaims::Claim>> claim(AccountId account, ResolvedPath& to);
  /// For another change of an item's name: `conflict` in the same way, and nothing is copied or
  /// moved into it until the claim goes.
  Task<Result<TargetClaims::Claim>> leave(AccountId account, ResolvedPath from);
  /// A rename within one backend. Else a task, which goes on when the caller goes away: a copy
  /// whose source is deleted once the copy was verified, and into which nothing is copied or moved
  /// until then. `conflict` as for a rename.
  Task<Result<void>> move(const Principal& principal, MoveCopyRequest request);
  /// A task, which goes on when the caller goes away. This and a move between backends stop when
  /// a right to them is lost, and show nothing then; they are `exists` where another of them is
  /// under way to the same place.
  Task<Result<void>> copy(const Principal& principal, MoveCopyRequest request);

  /// The same as a step of a task that runs.
  Task<Result<void>> move_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);
  Task<Result<void>> copy_in(RunningTask& running, const Principal& principal,
                             MoveCopyRequest request);

 private:
  /// Asks whether the rights to what is under way still stand.
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
  /// From then on the folder of a limited key keeps its name while `still` is held.
  Task<Result<void>> may_show(const Principal& principal, const Recheck& recheck,
                              std::optional<FolderLocks::Hold>& still);
  Task<Result<void>> copy_across(const ResolvedPath& from, const ResolvedPath& to, Recheck recheck,
                                 RunningTask& running);
  Task<Result<void>> move_across(AccountId account, const ResolvedPath& from,
                                 const ResolvedPath& to, Recheck recheck, RunningTask& running);
  /// Before the source of a move is deleted, whose copy stands.
  Task<Result<void>> begin_change(AccountId account, const ResolvedPath& from,
                                  const ResolvedPath& to,
                                  std::optional<FolderChanges::Change>& change);
  /// When the source of a move has left its name, or is about to: what is done to the place where
  /// its copy stands waits no longer.
  Task<Result<void>> leave_source(AccountId account, const ResolvedPath& from,
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
