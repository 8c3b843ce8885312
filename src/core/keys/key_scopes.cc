#include "core/keys/key_scopes.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catalog/mount_paths.h"

namespace coffer::core {
namespace {

/// The rest of `path` below `top`; nullopt if it is not in there. Both are without links.
std::optional<std::string_view> rest_of(std::string_view path, std::string_view top) {
  if (top == "/") top = {};
  if (!path.starts_with(top)) return std::nullopt;
  path.remove_prefix(top.size());
  if (path.empty()) return path;
  if (path.front() != '/') return std::nullopt;
  return path.substr(1);
}

/// The same as a Path; nullopt also for names that no request can ask for, so that no key has them.
std::optional<Path> path_below(const std::string& path, const std::string& top) {
  const auto rest = rest_of(path, top);
  if (!rest) return std::nullopt;
  auto parsed = Path::parse(*rest);
  if (!parsed) return std::nullopt;
  return *std::move(parsed);
}

/// The folder's new path as `share` sees it.
Path target_in(const std::vector<ShareFolder>& shares, const ShareFolder& share, Path to) {
  const auto inside = path_below(disk_path(shares, to), share.folder);
  return inside ? share.top / *inside : std::move(to);
}

}  // namespace

Task<Result<Path>> scope_of(const ResolvedPath& place) {
  CO_TRY(const auto canonical, co_await place.backend->canonical(place.path));
  co_return place.base / canonical;
}

Task<Result<Path>> whole_scope_of(const ResolvedPath& item, bool is_folder) {
  if (!is_folder) co_return co_await scope_of(item);
  ResolvedPath inner = item;
  inner.path = item.path / Name::parse("inner").value();
  auto scope = co_await scope_of(inner);
  if (scope) scope = scope->parent();
  co_return scope;
}

Task<Result<Path>> limited_scope_of(const ResolvedPath& item, bool is_folder) {
  auto scope = co_await whole_scope_of(item, is_folder);
  if (scope && scope->is_root()) {
    co_return fail(ErrorCode::invalid, "This is a link to the root. Choose a folder in it.");
  }
  co_return scope;
}

std::vector<Path> overlapping_shares(const std::vector<ShareFolder>& shares, const Path& scope) {
  std::vector<Path> tops;
  const ShareFolder* own = share_of(shares, scope);
  if (!own) return tops;
  for (const ShareFolder& share : shares) {
    if (&share == own) continue;
    const bool overlap = rest_of(share.folder, own->folder) || rest_of(own->folder, share.folder);
    if (overlap) tops.push_back(share.top);
  }
  return tops;
}

bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder) {
  const std::string inner = disk_path(shares, place);
  const std::string outer = disk_path(shares, folder);
  return !inner.empty() && !outer.empty() && rest_of(inner, outer);
}

std::vector<ChangeView> views_of_other_shares(const std::vector<ShareFolder>& shares,
                                              AccountId account, const Path& from,
                                              const std::optional<Path>& to) {
  std::vector<ChangeView> views;
  const ShareFolder* own = share_of(shares, from);
  if (!own) return views;
  const std::string folder = disk_path(shares, from);
  for (const ShareFolder& share : shares) {
    if (&share == own) continue;
    ChangeView view;
    view.account = account;
    if (const auto inside = path_below(folder, share.folder)) {
      view.from = share.top / *inside;
    } else if (const auto below = path_below(share.folder, folder)) {
      view.from = share.top;
      view.below = *below;
    } else {
      continue;
    }
    if (to) view.to = target_in(shares, share, *to / view.below);
    views.push_back(std::move(view));
  }
  return views;
}

std::optional<Path> path_in_given(const catalog::PersonShare& share, const Path& item) {
  if (!item.is_within(share.item)) return std::nullopt;
  const Path top = catalog::top_of(share.id);
  return top / item.relative_to(share.is_folder ? share.item : share.item.parent());
}

std::vector<ChangeView> views_of_receivers(const std::vector<catalog::PersonShare>& given,
                                           AccountId account, const Path& from,
                                           const std::optional<Path>& tree_to,
                                           const std::optional<Path>& to) {
  std::vector<ChangeView> views;
  for (const catalog::PersonShare& share : given) {
    const auto seen = path_in_given(share, from);
    const bool is_itself = from == share.item;
    if (!seen || (is_itself && share.is_folder)) continue;
    ChangeView view{account, *seen, to, {}};
    if (is_itself) {
      view.to.reset();
      if (tree_to) view.to = seen->parent() / Name::parse(tree_to->name()).value();
    } else if (tree_to) {
      view.to = path_in_given(share, *tree_to);
      if (!view.to) view.to = to;
    }
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace coffer::core
