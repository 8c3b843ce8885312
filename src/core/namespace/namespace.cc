#include "core/namespace/namespace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {
namespace {

bool has_hidden_name(const Path& path) {
  return std::ranges::any_of(path.components(), &storage::is_hidden_name);
}

std::unexpected<Error> no_such_item() {
  return fail(ErrorCode::not_found, "There is no such file or folder.");
}

bool is_mounted(const Path& path) {
  return is_mount_name(path.front());
}

/// Limits a place to the principal's scope, which lies at the place's path; `path` is from there.
ResolvedPath within_scope(ResolvedPath place, const Principal& principal, const Path& path) {
  place.backend = limited(std::move(place.backend), place.path);
  place.owner_base = place.owner_base / place.path;
  place.path = path;
  place.base = *principal.scope;
  place.is_top = path.is_root();
  place.is_scoped = true;
  return place;
}

std::unexpected<Error> is_read_only(const ResolvedPath& place) {
  const bool is_given = place.mount && place.mount->given && place.mount->read_only;
  if (!is_given) return fail(ErrorCode::forbidden, "This location is read-only.");
  return fail(ErrorCode::forbidden,
              fmt::format("{} shares this for reading only.", owner_name(*place.mount->given)));
}

bool is_in_bin(const ResolvedPath& place) {
  return place.path.depth() >= 2 && place.path.front() == storage::kBinFolder &&
         !has_hidden_name(place.path.without_front());
}

}  // namespace

std::unexpected<Error> may_only_add(const Mount& mount) {
  return fail(ErrorCode::forbidden,
              fmt::format("{} lets you add files and folders here, but neither change nor delete "
                          "any.",
                          owner_name(*mount.given)));
}

ResolvedPath place_in(OpenMount opened, const Path& path) {
  ResolvedPath place;
  place.backend = opened.backend;
  place.whole_backend = opened.whole_backend();
  place.owner_files = std::move(opened.owner_files);
  place.owner_base = std::move(opened.owner_base);
  if (const auto& given = opened.mount.given) place.quota_account = given->owner;
  place.path = path.without_front();
  place.base = Path::parse(path.front()).value();
  place.is_top = place.path.is_root();
  place.read_only = opened.mount.read_only;
  place.mount = std::move(opened.mount);
  return place;
}

storage::Versions* versions_of(const ResolvedPath& place) {
  return place.owner_files ? nullptr : place.backend->versions();
}

ResolvedPath in_owner_tree(const ResolvedPath& place) {
  if (!place.owner_files) return place;
  ResolvedPath found = place;
  found.backend = place.owner_files;
  found.path = place.tree_path();
  found.base = found.owner_base = Path();
  found.is_top = found.is_scoped = false;
  return found;
}

Task<Result<ResolvedPath>> Namespace::resolve(const Principal& principal, const Path& path,
                                              Access access) const {
  CO_TRY(auto place, co_await locate(principal, path));
  if (access != Access::read && place.read_only) {
    if (access != Access::in_bin) CO_TRY_VOID(check_may_write(principal));
    co_return is_read_only(place);
  }
  const bool changes = access == Access::write || access == Access::in_bin;
  if (changes && place.mount && place.mount->only_adds()) co_return may_only_add(*place.mount);
  const bool is_known = access == Access::in_bin ? is_in_bin(place) : !has_hidden_name(path);
  if (!is_known) co_return no_such_item();
  if (access != Access::read && place.quota_account) {
    CO_TRY(place.writing, homes_.begin_write(*place.quota_account));
  }
  co_return place;
}

Task<Result<ResolvedPath>> Namespace::locate(const Principal& principal, const Path& path) const {
  const bool is_scope_mounted = principal.scope && is_mounted(*principal.scope);
  if (principal.scope && is_mounted(path)) {
    co_return fail(ErrorCode::forbidden, "This key is limited to one folder.");
  }
  if (is_scope_mounted) {
    CO_TRY(auto place, co_await mounted_place(principal, *principal.scope));
    co_return within_scope(std::move(place), principal, path);
  }
  if (is_mounted(path)) co_return co_await mounted_place(principal, path);
  auto home = homes_.of(*principal.account);
  if (!home && home.error().code == ErrorCode::not_found) {
    co_return fail(ErrorCode::not_found, "This location is not there any more.");
  }
  if (!home) co_return failure_of(std::move(home));
  ResolvedPath place;
  place.backend = *std::move(home);
  place.whole_backend = place.backend.get();
  place.path = principal.scope ? *principal.scope : path;
  place.is_top = path.is_root();
  place.read_only = principal.read_only;
  place.quota_account = principal.account;
  if (!principal.scope) co_return place;
  co_return within_scope(std::move(place), principal, path);
}

Task<Result<void>> Namespace::hold(Principal& principal, const Path& path) const {
  const Path whole = principal.whole(path);
  if (!is_mounted(whole)) co_return Result<void>{};
  CO_TRY(auto mount, co_await mounts_.find(principal.account->id, whole.front()));
  if (mount.leads_to) principal.places.try_emplace(mount.prefix, *std::move(mount.leads_to));
  co_return Result<void>{};
}

Task<Result<ResolvedPath>> Namespace::mounted_place(const Principal& principal,
                                                    const Path& path) const {
  CO_TRY(auto opened, co_await mounts_.open(principal.account->id, path.front()));
  const auto held = principal.places.find(opened.mount.prefix);
  if (held != principal.places.end() && held->second != opened.mount.leads_to) {
    co_return fail(ErrorCode::forbidden,
                   opened.mount.name + " was led to another place while this was under way.");
  }
  ResolvedPath place = place_in(std::move(opened), path);
  place.read_only |= principal.read_only;
  co_return place;
}

Task<Result<std::vector<Location>>> Namespace::locations(const Principal& principal) const {
  std::vector<Location> all;
  if (principal.scope) {
    all.push_back({LocationKind::scoped, std::string(principal.scope->name()), "",
                   principal.scope->str(), principal.read_only});
    if (!is_mounted(*principal.scope)) co_return all;
    CO_TRY(const auto mount,
           co_await mounts_.find(principal.account->id, principal.scope->front()));
    all.front().read_only |= mount.read_only;
    if (principal.scope->depth() == 1) all.front().name = mount.name;
    co_return all;
  }
  all.push_back({LocationKind::own, "Own files", "", "Own files", principal.read_only});
  CO_TRY(auto mounts, co_await mounts_.of(principal.account->id));
  sort_for_listing(mounts);
  for (Mount& mount : mounts) {
    all.push_back({mount.kind, std::move(mount.name), mount.prefix + '/', std::move(mount.target),
                   mount.read_only || principal.read_only});
  }
  co_return all;
}

Task<Result<std::vector<Mount>>> Namespace::mounts_in(const Principal& principal,
                                                      const ResolvedPath& folder) const {
  if (principal.scope || !folder.is_top || folder.mount) co_return std::vector<Mount>();
  CO_TRY(auto mounts, co_await mounts_.of(principal.account->id));
  sort_for_listing(mounts);
  co_return mounts;
}

}  // namespace coffer::core
