#include "core/namespace/name_rules.h"

#include "storage/partial_name.h"

namespace coffer::core {

Result<void> check_new_name(const Namespace& ns, const ResolvedPath& folder,
                            std::string_view name) {
  if (ns.reserves_mount_names(folder) && is_mount_name(name)) {
    return fail(ErrorCode::invalid,
                "Names at the root must not begin with \"__adm_\" or \"__conn_\".");
  }
  if (storage::is_hidden_name(name)) {
    return fail(ErrorCode::invalid, "Such names are kept for what does not show.");
  }
  return {};
}

Task<Result<void>> check_missing_folders(const ResolvedPath& folder) {
  Path reached = folder.path;
  while (!reached.is_root()) {
    // Valid names need no look at the disk: they can be made.
    const auto name = Name::parse(reached.name());
    if (!name) {
      const auto entry = co_await folder.backend->stat(reached);
      if (entry) co_return Result<void>{};
      co_return failure_of(name);
    }
    reached = reached.parent();
  }
  co_return Result<void>{};
}

}  // namespace coffer::core
