#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/character_set.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/bin.h"
#include "catalog/on_conflict.h"
#include "catalog/tasks.h"
#include "core/bin/bin_service.h"
#include "core/files/files.h"
#include "core/files/move_copy_service.h"
#include "core/files/selected_items.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/name_rules.h"
#include "core/namespace/principal.h"
#include "core/tasks/task_runner.h"

namespace coffer::core {

class FileReplacement;

/// An operation on several items. Paths start at the principal's root.
struct BatchRequest {
  catalog::TaskKind kind = catalog::TaskKind::copy;
  /// The items, or the ids of items in the bin. A request has these or a selection of them, which
  /// the task takes over. Archives to unpack are always named here.
  std::vector<Path> sources = {};
  std::optional<SelectionId> selection = {};
  /// The target folder; nullopt for a deletion, and to restore items to their original folders.
  std::optional<Path> destination = {};
  catalog::OnConflict on_conflict = catalog::OnConflict::fail;
  bool permanent = false;  ///< Deletes without using the bin.
  /// For unpack: what names that are not UTF-8 are written in; nullopt: see read_archive.
  std::optional<CharacterSet> character_set = {};
  /// An interrupted task that this one goes on with, and how many of its items are over. Items that
  /// are gone count as done, since the interrupted task may not have recorded its last ones.
  std::optional<TaskId> restarts = {};
  std::uint64_t sources_done = 0;
  /// Of one that restarts: when its items were chosen. What has the name of one, but was created
  /// later, is neither moved nor deleted.
  Timestamp chosen_at{};
  /// The first items to restore, as they were when the task was begun.
  std::vector<catalog::BinItem> bin_items = {};
};

/// The work of a task that copies, moves, deletes or restores items, one after the other. If an
/// item fails, the task records the failure and continues with the next item. A failure that every
/// other item would meet, such as a full quota, ends the task. Each item is published whole or not
/// at all, except a folder that merges with an existing folder. `run` must be called only once, on
/// the executor of Background.
///
/// OnConflict decides what happens to an item whose name is taken at the target:
/// - `fail`: the task ends. It checks all names first, and changes nothing if one is already taken.
/// - `replace`: folders merge; a file replaces a file in one step. A file that is replaced by a
///   restored file goes into the bin, if the location has one.
/// - `skip`: folders merge; a file is skipped.
/// - `keep_both`: the item gets a free name.
/// With `replace` and `skip`, a file is skipped if a folder has its name, and vice versa.
class BatchWork : public std::enable_shared_from_this<BatchWork> {
 public:
  struct Services {
    catalog::Catalog& catalog;
    HomeDirectories& homes;
    Mounts& mounts;
    const Quota& quota;
    FolderChanges& folder_changes;
    AccessRecheck& access_recheck;
    MoveCopyService& move_copy;
    Files& files;
    BinService& bin;
  };

  BatchWork(Services services, Principal principal, BatchRequest request)
      : services_(services),
        namespace_(services.homes, services.mounts),
        principal_(std::move(principal)),
        request_(std::move(request)) {}

  /// Processes all items. Fails if the task ended early, or if an item failed and none was done.
  Task<Result<void>> run(RunningTask& running);
  /// Returns the reason to stop the task if a right to the current item was lost; otherwise returns
  /// nullopt. The task's CancelReason calls it, on the executor of `run`.
  Task<std::optional<Error>> withdrawal();

 private:
  /// The most tries of an operation if other clients take its target name at the same moment.
  static constexpr int kTries = 5;

  /// `done` if the whole item was processed; `partly` if the item or a part of it was skipped.
  enum class Outcome : std::uint8_t { done, partly };
  using Step = Task<Result<Outcome>>;

  bool restores() const { return request_.kind == catalog::TaskKind::restore; }
  bool moves() const { return restores() || request_.kind == catalog::TaskKind::move; }
  MoveCopyCommand command_of(Path source, Path folder, std::optional<Name> name) const;
  /// An item of the task.
  struct Source {
    Path path;  ///< Of an item in the bin: the original path.
    std::optional<catalog::BinItem> bin_item = {};
  };
  Task<Result<Source>> source_of(Path item);
  Result<MoveCopyCommand> command_of(const Source& source) const;
  Task<void> count();
  Task<Result<void>> check_names();
  Task<Result<void>> do_item(const Path& item);
  Task<Result<void>> begin_items();
  Task<Result<bool>> was_done_before(const Path& item);
  Task<Result<void>> check_mounted_once(const std::shared_ptr<storage::Backend>& backend);
  Step do_source(const Source& source);
  Step remove(Path source);
  Step restore(const Source& source);
  Step restore_over(MoveCopyRequest plan, Path source, Path target);
  Task<Result<void>> make_missing(const Path& folder);
  Step put(Path source, Path folder);
  Step put_as(Path source, Path folder, std::optional<Name> name);
  Step perform(MoveCopyRequest plan);
  Step resolve_conflict(MoveCopyRequest plan, Path source, Path folder,
                        const storage::Entry& taken);
  Step keep_both(const MoveCopyRequest& plan, Path source, Path folder);
  Task<Result<Name>> put_beside(const MoveCopyRequest& plan, const Path& source,
                                const Path& folder);
  Step merge(MoveCopyRequest plan, Path source, Path target);
  Step replace(MoveCopyRequest plan, Path source);
  /// Returns an object that can replace the file at `plan.to` with the one at `plan.from`.
  FileReplacement replacement_by(const MoveCopyRequest& plan);
  Task<bool> remove_emptied(ResolvedPath folder);

  Outcome skip(const Path& source, Error why);
  Outcome skip(const Path& source, ErrorCode code, std::string reason);
  Path shown(const Path& source) const;
  Result<Outcome> skip_or_fail(const Path& source, const Error& error);
  /// Makes `withdrawal` check the rights to the mounts of `plan`.
  void watch(const MoveCopyRequest& plan);

  const Services services_;
  const Namespace namespace_;
  const Principal principal_;
  const BatchRequest request_;
  RunningTask* running_ = nullptr;
  std::optional<SelectedItems> items_;             ///< Set when `run` begins.
  std::vector<MountUse> uses_;                     ///< The mounts of the current item.
  std::shared_ptr<storage::Backend> mounted_;      ///< The last that `check_mounted` passed.
  const catalog::BinItem* leaving_ = nullptr;      ///< The item that is being restored.
  std::map<std::string, TakenNames> taken_names_;  ///< By target folder.
  std::optional<Error> first_failure_;
  bool has_done_any_ = false;
};

}  // namespace coffer::core
