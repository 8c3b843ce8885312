#pragma once

#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/archive/archive_stream.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// An archive that is about to be made, and a name for it without an extension.
struct Archive {
  std::string name;
  std::unique_ptr<ArchiveStream> stream;
};

/// Makes archives of items that principals may read. Safe from any thread.
class ArchiveService {
 public:
  ArchiveService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                 WorkPools& pools)
      : namespace_(homes, mounts), access_recheck_(catalog, mounts), pools_(pools) {}

  /// Archives the items at `paths`, each under its own name, with a number if two have the same.
  /// The root is archived without its mounts, which the archive's last entry reports. Fails if an
  /// item is missing or may not be read; lost rights end an archive that has begun.
  Task<Result<Archive>> make(const Principal& principal, std::vector<Path> paths,
                             ArchiveFormat format);

 private:
  struct Plan;
  Task<Result<void>> add(Plan& plan, const Path& path, const ResolvedPath& place);
  Task<Result<void>> tell_of_mounts(Plan& plan, const ResolvedPath& place, const std::string& name);

  const Namespace namespace_;
  AccessRecheck access_recheck_;
  WorkPools& pools_;
};

}  // namespace coffer::core
