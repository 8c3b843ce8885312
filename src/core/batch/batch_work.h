#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/bin.h"
#include "catalog/on_conflict.h"
#include "catalog/tasks.h"
#include "core/bin/bin_service.h"
#include "core/files/files.h"
#include "core/files/move_copy_service.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/name_rules.h"
#include "core/namespace/principal.h"
#include "core/tasks/task_runner.h"

namespace coffer::core {

class FileReplacement;

/// What is to be done with several items. Paths are from the principal's root.
struct BatchRequest {
  catalog::TaskKind kind = catalog::TaskKind::copy;
  std::vector<Path> sources = {};  ///< For restoring, where they were.
  /// The folder where they go; those from the bin go back to where they were without it.
  std::optional<Path> destination = {};
  catalog::OnConflict on_conflict = catalog::OnConflict::fail;
  bool permanent = false;                        ///< Deleting does not go into the bin.
  std::vector<catalog::BinItem> bin_items = {};  ///< To be restored, each with its source.
};

/// The work of a task on several items, one after the other: each shows whole or not at all. What
/// cannot be done with one is noted with the task, and the others are done. Used once, on the
/// executor of the background.
///
/// Where a name is taken: `fail` ends the task, before anything is done if it was taken then; with
/// `replace` and `skip` what a folder holds goes into a folder of its name, and a file takes a
/// file's place in one step or stays; a file and a folder never take each other's place. What a
/// file from the bin replaces goes into the bin.
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
      : services_(services), principal_(std::move(principal)), request_(std::move(request)) {}

  Task<Result<void>> run(RunningTask& running);
  /// Why it may not go on, if a right to what it is at was lost.
  Task<std::optional<Error>> withdrawal();

 private:
  /// How often a name is looked at anew when others take it at the same moment.
  static constexpr int kTries = 5;

  /// Whether all of an item went its way.
  enum class Outcome : std::uint8_t { done, partly };
  using Step = Task<Result<Outcome>>;

  bool restores() const { return request_.kind == catalog::TaskKind::restore; }
  bool moves() const { return restores() || request_.kind == catalog::TaskKind::move; }
  MoveCopyCommand command_of(Path source, Path folder, std::optional<Name> name) const;
  Result<MoveCopyCommand> command_of(std::size_t index) const;
  Task<void> count();
  Task<Result<void>> check_names();
  Step do_source(std::size_t index);
  Step remove(Path source);
  Step restore(std::size_t index);
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
  /// For the step that was begun.
  FileReplacement replacement_by(const MoveCopyRequest& plan);
  Task<bool> remove_emptied(const ResolvedPath& folder, const Path& source);

  Outcome skip(const Path& source, Error why);
  Outcome skip(const Path& source, ErrorCode code, std::string reason);
  Path shown(const Path& source) const;
  /// What becomes of a failure with one item: it is noted, or ends the task.
  Result<Outcome> pass_over(const Path& source, const Error& error);
  void watch(const MoveCopyRequest& plan);

  const Services services_;
  const Principal principal_;
  const BatchRequest request_;
  RunningTask* running_ = nullptr;
  std::vector<MountUse> uses_;                     ///< Of the item under way.
  const catalog::BinItem* leaving_ = nullptr;      ///< The item of the bin under way.
  std::map<std::string, TakenNames> taken_names_;  ///< By the folder that items go to.
  std::optional<Error> first_failure_;
  bool has_done_any_ = false;
};

}  // namespace coffer::core
