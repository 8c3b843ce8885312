#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/accounts/account_slots.h"
#include "core/files/folder_lister.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/search/search.h"
#include "core/tasks/background.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// Searches the files of principals. Safe from any thread.
class SearchService {
 public:
  /// Each takes a part of the threads that serve connections.
  static constexpr std::size_t kMostOfAccount = 8;

  SearchService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
                Background& background, WorkPools& pools, const MemoryRoom& memory,
                FolderLister& lister)
      : namespace_(homes, mounts),
        access_recheck_(catalog, mounts),
        background_(background),
        pools_(pools),
        memory_(memory),
        lister_(lister) {}

  /// Begins a search for up to `limit` items below `folder`. At the account's root, also searches
  /// the mounts; a mount that cannot be opened counts as an unread folder. Fails if `folder` is not
  /// a folder or cannot be read, as `MemoryRoom::Hold::grow` if there is no memory for the search,
  /// or with `rate_limited` if kMostOfAccount of the account are under way. If the principal loses
  /// a right later, Search::next fails.
  Task<Result<std::shared_ptr<Search>>> begin(const Principal& principal, const Path& folder,
                                              SearchTerms terms, std::size_t limit);

 private:
  struct Plan;
  static void add(Plan& plan, SearchTop top, std::optional<Mount> mount);
  Task<Result<void>> add_mounts(Plan& plan, const ResolvedPath& root);

  const Namespace namespace_;
  AccessRecheck access_recheck_;
  Background& background_;
  WorkPools& pools_;
  const MemoryRoom& memory_;
  FolderLister& lister_;
  AccountSlots slots_{SIZE_MAX, kMostOfAccount};
};

}  // namespace coffer::core
