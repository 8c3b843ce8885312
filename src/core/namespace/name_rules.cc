#include "core/namespace/name_rules.h"

#include <fmt/format.h>

#include <string_view>

#include "base/path.h"
#include "base/text.h"
#include "storage/depth.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

constexpr std::size_t kLongestNameBytes = 255;

std::string numbered(const std::string& name, int number) {
  const std::string_view extension = extension_of(name);
  const std::string tail = fmt::format(" ({}){}", number, extension);
  if (tail.size() >= kLongestNameBytes) return fmt::format("{} ({})", cut_utf8(name, 200), number);
  const std::string_view stem = std::string_view(name).substr(0, name.size() - extension.size());
  return std::string(cut_utf8(stem, kLongestNameBytes - tail.size())) + tail;
}

}  // namespace

Result<void> check_new_name(const ResolvedPath& folder, std::string_view name) {
  if (folder.reserves_mount_names() && is_mount_name(name)) {
    return fail(ErrorCode::invalid,
                "Names at the root must not begin with \"__adm_\" or \"__conn_\".");
  }
  if (storage::is_hidden_name(name)) {
    return fail(ErrorCode::invalid, "This name is reserved for hidden items.");
  }
  return {};
}

Result<void> check_may_leave(const ResolvedPath& place) {
  if (!place.mount || !place.mount->given) return {};
  if (place.mount->only_adds()) return may_only_add(*place.mount);
  if (place.mount->given->is_folder) return {};
  return fail(ErrorCode::forbidden, "Only its owner may move, rename or delete this file.");
}

Task<Result<void>> check_missing_folders(const ResolvedPath& folder) {
  // Before a loop over a path that may have thousands of names.
  CO_TRY_VOID(storage::check_depth(folder.path.depth()));
  Path reached = folder.path;
  while (!reached.is_root()) {
    // Valid names can be created, so the disk is not read.
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

std::string TakenNames::free_name_for(const std::string& name) {
  if (!taken_.contains(name)) return name;
  int& number = next_numbers_.try_emplace(name, 2).first->second;
  while (taken_.contains(numbered(name, number))) ++number;
  return numbered(name, number);
}

}  // namespace coffer::core
