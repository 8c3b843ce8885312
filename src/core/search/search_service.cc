#include "core/search/search_service.h"

#include <utility>
#include <vector>

#include "core/files/listing.h"

namespace coffer::core {
namespace {

SearchTop top_of(const ResolvedPath& place, const Path& shown) {
  SearchTop top;
  top.backend = place.backend;
  top.path = place.path;
  top.shown = shown;
  top.read_only = place.read_only;
  top.is_remote = place.mount && place.mount->kind != LocationKind::shared;
  return top;
}

}  // namespace

/// What is collected before the search begins.
struct SearchService::Plan {
  Namespace& ns;
  SearchOrder order;
  std::vector<MountUse> uses = {};
};

void SearchService::add(Plan& plan, SearchTop top, std::optional<Mount> mount) {
  top.use = plan.uses.size();
  plan.order.tops.push_back(std::move(top));
  plan.uses.push_back(MountUse{std::move(mount), false});
}

/// Mounts on servers are not asked whether they are there: listing their tops tells.
Task<Result<void>> SearchService::add_mounts(Plan& plan, const ResolvedPath& root) {
  const auto mounts = co_await plan.ns.mounts_in(root);
  if (!mounts) co_return failure_of(mounts);
  for (const Mount& mount : *mounts) {
    const auto path = Path::parse(mount.prefix);
    if (!path) co_return failure_of(path);
    const auto place = co_await plan.ns.resolve(*path);
    if (place) {
      add(plan, top_of(*place, *path), place->mount);
    } else {
      ++plan.order.unread_folders;
    }
  }
  co_return Result<void>{};
}

Task<Result<std::shared_ptr<Search>>> SearchService::begin(const Principal& principal,
                                                           const Path& folder, SearchTerms terms,
                                                           std::size_t limit) {
  auto made = Namespace::of(principal, homes_, mounts_);
  if (!made) co_return failure_of(std::move(made));
  auto ns = std::make_shared<Namespace>(*std::move(made));
  const auto place = co_await ns->resolve(folder);
  if (!place) co_return failure_of(place);
  const auto entry = co_await stat(*place);
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return fail(ErrorCode::invalid, "This is not a folder.");
  Plan plan{*ns, SearchOrder{std::move(terms)}};
  SearchTop top = top_of(*place, folder);
  if (ns->reserves_mount_names(*place)) top.is_reserved = &is_mount_name;
  add(plan, std::move(top), place->mount);
  auto more = co_await add_mounts(plan, *place);
  if (!more) co_return failure_of(std::move(more));
  plan.order.limit = limit;
  plan.order.may_go_on = [this, principal, uses = std::move(plan.uses)](std::size_t use) {
    std::vector<MountUse> one = {uses[use]};
    return access_recheck_.of(principal, std::move(one));
  };
  plan.order.keeps = std::move(ns);
  plan.order.spawn = [this](Task<void> task) { background_.spawn(std::move(task)); };
  WorkPool& pool = pools_.of(principal.account->id);
  co_return std::make_shared<Search>(std::move(plan.order), pool.brief);
}

}  // namespace coffer::core
