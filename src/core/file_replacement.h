#pragma once

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/files.h"
#include "core/keys/folder_changes.h"
#include "core/move_copy_request.h"
#include "core/move_copy_service.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/principal.h"
#include "core/quota.h"
#include "core/tasks/task_runner.h"
#include "storage/entry.h"
#include "storage/reader.h"

namespace coffer::core {

/// A file that takes the place of another one, in one step, as a step of a task that was begun: the
/// other one stays until then, and after any failure. The references outlive it. Used once.
class FileReplacement {
 public:
  struct Services {
    const Quota& quota;
    FolderChanges& folder_changes;
    AccessRecheck& access_recheck;
    MoveCopyService& move_copy;
    Files& files;
  };

  FileReplacement(Services services, const Principal& principal, RunningTask& running,
                  const MoveCopyRequest& plan)
      : services_(services), principal_(principal), running_(running), plan_(plan) {}

  /// Whether the source stays. What is to go must still be the account's to delete when the other
  /// one's place is taken.
  enum class Source { stays, goes };

  /// The source as it was read. `conflict` where it changed meanwhile.
  Task<Result<storage::Entry>> copy(Source afterwards);
  /// The same, and the source goes; `source` is its path from the principal's root. False, and
  /// nothing was done, where both are one by different paths; `conflict` where there is no other
  /// one any more.
  Task<Result<bool>> move(const Path& source);

 private:
  Task<Result<bool>> is_one();
  Task<Result<storage::Entry>> copy_from(const ResolvedPath& source, Source afterwards);
  Task<Result<void>> copy_unchanged(const ResolvedPath& source);
  Task<Result<void>> pump(storage::Reader& reader, Upload& upload);

  const Services services_;
  const Principal& principal_;
  RunningTask& running_;
  const MoveCopyRequest& plan_;
};

}  // namespace coffer::core
