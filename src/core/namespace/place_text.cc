#include "core/namespace/place_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coffer::core {

Task<Result<void>> follow_links(ResolvedPath& place) {
  if (place.is_on_server()) co_return Result<void>{};
  CO_TRY(auto canonical, co_await place.backend->canonical(place.path));
  place.path = std::move(canonical);
  co_return Result<void>{};
}

namespace {

/// Returns the path in the owner's own files. That of the location of a file which is shared alone
/// is the file's, and what is named beside it there lies nowhere: who is given one file must not
/// meet what is beside it.
Path path_among_owners(const ResolvedPath& place) {
  if (!place.is_of_one_file()) return place.tree_path();
  const Path& file = place.mount->given->item;
  return place.tree_path() == file ? file : file / place.path;
}

}  // namespace

Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place) {
  if (place.owner_files) {
    const Path item = path_among_owners(place);
    co_return fmt::format("{}/{}", place.quota_account->id.value, item.str());
  }
  const Path path = place.tree_path();
  // A mount has the same name for all that see it; own files are one account's.
  if (!place.mount) co_return fmt::format("{}/{}", account.value, path.str());
  if (place.is_on_server()) co_return path.str();
  CO_TRY(const auto shares, co_await mounts.share_folders({&place.mount->prefix, 1}));
  std::string found = disk_path(shares, path);
  if (found.empty()) co_return path.str();
  co_return found;
}

const ShareFolder* share_of(const std::vector<ShareFolder>& shares, const Path& scope) {
  const auto found = std::ranges::find_if(
      shares, [&](const ShareFolder& share) { return share.top.front() == scope.front(); });
  return found == shares.end() ? nullptr : &*found;
}

std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope) {
  const ShareFolder* share = share_of(shares, scope);
  if (!share) return {};
  return scope.depth() == 1 ? share->folder : share->folder + '/' + scope.without_front().str();
}

}  // namespace coffer::core
