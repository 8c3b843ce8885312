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

/// An archive that is about to be made, and what it could be called, without an extension.
struct Archive {
  std::string name;
  std::unique_ptr<ArchiveStream> stream;
};

/// Makes archives of what principals may read. Safe from any thread.
class ArchiveService {
 public:
  ArchiveService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                 WorkPools& pools)
      : homes_(homes), mounts_(mounts), access_recheck_(catalog, mounts), pools_(pools) {}

  /// Of the items at `paths`, each under its own name, or with a number where two have the same.
  /// The root goes without the mounts in it, which the archive's last entry tells. Fails where one
  /// of them is missing or may not be read; once it has begun, lost rights end it.
  Task<Result<Archive>> make(const Principal& principal, std::vector<Path> paths,
                             ArchiveFormat format);

 private:
  struct Plan;
  Task<Result<void>> add(Plan& plan, const Path& path, const ResolvedPath& place);
  Task<Result<void>> tell_of_mounts(Plan& plan, const ResolvedPath& place, const std::string& name);

  HomeDirectories& homes_;
  Mounts& mounts_;
  AccessRecheck access_recheck_;
  WorkPools& pools_;
};

}  // namespace coffer::core
