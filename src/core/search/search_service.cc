#include "core/search/search_service.h"

#include <utility>
#include <vector>

#include "core/files/listing.h"

namespace coffer::core {
namespace {

/// The lines that are being sent, and what is known of the folders to look into.
constexpr std::uint64_t kSearchBytes = 128 * 1024;

SearchTop top_of(const ResolvedPath& place, const Path& shown) {
  SearchTop top;
  top.backend = place.backend;
  top.path = place.path;
  top.shown = shown;
  top.read_only = place.read_only || (place.mount && place.mount->only_adds());
  top.is_remote = place.mount && place.mount->kind != LocationKind::shared;
  return top;
}

}  // namespace

/// The places collected before the search begins.
struct SearchService::Plan {
  const Principal& principal;
  SearchOrder order;
  std::vector<MountUse> uses = {};
};

void SearchService::add(Plan& plan, SearchTop top, std::optional<Mount> mount) {
  top.use = plan.uses.size();
  plan.order.tops.push_back(std::move(top));
  plan.uses.push_back(MountUse{std::move(mount), false});
}

/// Does not contact the mounts' servers; listing their tops does.
Task<Result<void>> SearchService::add_mounts(Plan& plan, const ResolvedPath& root) {
  CO_TRY(const auto mounts, co_await namespace_.mounts_in(plan.principal, root));
  for (const Mount& mount : mounts) {
    CO_TRY(const auto path, Path::parse(mount.prefix));
    const auto place = co_await namespace_.resolve(plan.principal, path);
    if (place) {
      add(plan, top_of(*place, path), place->mount);
    } else {
      ++plan.order.unread_folders;
    }
  }
  co_return Result<void>{};
}

Task<Result<std::shared_ptr<Search>>> SearchService::begin(const Principal& principal,
                                                           const Path& folder, SearchTerms terms,
                                                           std::size_t limit) {
  auto slot = slots_.enter_now(principal.account->id);
  if (!slot) {
    Error busy{ErrorCode::rate_limited, "Too many of your searches are under way. Wait for one."};
    busy.retry_after = std::chrono::seconds(1);
    co_return std::unexpected(std::move(busy));
  }
  auto hold = memory_.begin(holder_of(principal));
  CO_TRY_VOID(hold.grow(kSearchBytes));
  CO_TRY(const auto place, co_await namespace_.resolve(principal, folder));
  CO_TRY(const auto entry, co_await stat(place));
  if (!entry.is_directory) co_return fail(ErrorCode::invalid, "This is not a folder.");
  Plan plan{principal, SearchOrder{std::move(terms)}};
  SearchTop top = top_of(place, folder);
  if (place.reserves_mount_names()) top.is_reserved = &is_mount_name;
  add(plan, std::move(top), place.mount);
  CO_TRY_VOID(co_await add_mounts(plan, place));
  plan.order.limit = limit;
  plan.order.hold = std::move(hold);
  plan.order.slot = *std::move(slot);
  plan.order.list = lister_.of(principal);
  plan.order.may_go_on = [this, principal, uses = std::move(plan.uses)](std::size_t use) {
    std::vector<MountUse> one = {uses[use]};
    return access_recheck_.of(principal, std::move(one));
  };
  plan.order.spawn = [this](Task<void> task) { background_.spawn(std::move(task)); };
  WorkPool& pool = pools_.of(principal.account->id);
  co_return std::make_shared<Search>(std::move(plan.order), pool.brief);
}

}  // namespace coffer::core
