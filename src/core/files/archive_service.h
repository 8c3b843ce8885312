#pragma once

#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/archive/archive_stream.h"
#include "core/files/folder_lister.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// An archive that is created while its stream is read.
struct Archive {
  std::string name;  ///< A suggested file name, without an extension.
  std::unique_ptr<ArchiveStream> stream;
};

/// Makes archives of items that principals may read. Safe from any thread.
class ArchiveService {
 public:
  ArchiveService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                 WorkPools& pools, const MemoryRoom& memory, FolderLister& lister)
      : selections_(catalog.selections()),
        namespace_(homes, mounts),
        access_recheck_(catalog, mounts),
        pools_(pools),
        memory_(memory),
        lister_(lister) {}

  /// Begins an archive of the items at `paths`. Each item keeps its name. If several items have the
  /// same name, a number is added to the names of all but the first. An archive of the account's
  /// root does not contain the mounts, but ends with a text file that lists them. Fails if an item
  /// is missing or the principal may not read it, or as `MemoryRoom::Hold::grow` if there is no
  /// memory for the archive. If the right is lost later, the stream fails.
  Task<Result<Archive>> make(const Principal& principal, std::vector<Path> paths,
                             ArchiveFormat format);
  /// Begins an archive of the items of a selection, as `make` does, but keeps only their paths and
  /// looks at each item when its turn comes. Items that are missing, or that the principal may not
  /// read, are listed in the archive's report. `not_found` if the account has no such selection;
  /// errors of memory as those of `make`.
  Task<Result<Archive>> make_selected(const Principal& principal, SelectionId id,
                                      ArchiveFormat format);

 private:
  struct Plan;
  class Selected;
  Task<Result<ArchiveItem>> item_at(Plan& plan, const Path& path, ArchiveReport& report) const;
  Task<Result<ArchiveItem>> item_at(Plan& plan, const Path& path, const ResolvedPath& place,
                                    ArchiveReport& report) const;
  Task<Result<void>> tell_of_mounts(const Plan& plan, const ResolvedPath& place,
                                    const std::string& name, ArchiveReport& report) const;
  Archive begin(std::shared_ptr<Plan> plan, ArchiveOrder order, std::string name);

  catalog::Selections& selections_;
  const Namespace namespace_;
  AccessRecheck access_recheck_;
  WorkPools& pools_;
  const MemoryRoom& memory_;
  FolderLister& lister_;
};

}  // namespace coffer::core
