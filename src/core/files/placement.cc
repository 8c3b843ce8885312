#include "core/files/placement.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/keys/key_scopes.h"

namespace coffer::core {
namespace {

Placement placement(bool lies_in_item, bool holds_item) {
  if (!lies_in_item) return Placement::apart;
  return holds_item ? Placement::same : Placement::within;
}

bool is_beneath(const std::string& place, const std::string& folder) {
  return place.size() > folder.size() && place.starts_with(folder) && place[folder.size()] == '/';
}

/// Of items that other accounts share.
Task<Result<Placement>> placement_in_trees(ResolvedPath item, ResolvedPath to) {
  if (item.owner_files != to.owner_files) co_return Placement::apart;
  const auto from = co_await follow_links(item);
  const auto place = co_await follow_links(to);
  if (!from || !place) co_return Placement::apart;
  const Path one = item.tree_path();
  const Path other = to.tree_path();
  co_return placement(other.is_within(one), one.is_within(other));
}

}  // namespace

Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to) {
  if (item.is_on_server() || to.is_on_server()) co_return Placement::apart;
  const bool is_one_mount = item.base.front() == to.base.front();
  if (!is_one_mount && (!item.mount || !to.mount)) co_return Placement::apart;
  if (!is_one_mount && (item.owner_files || to.owner_files)) {
    co_return co_await placement_in_trees(item, to);
  }
  const auto from = co_await whole_scope_of(item, is_folder);
  const auto place = co_await scope_of(to);
  if (!from || !place) co_return Placement::apart;
  if (is_one_mount) co_return placement(place->is_within(*from), from->is_within(*place));
  const std::array<std::string, 2> prefixes{item.mount->prefix, to.mount->prefix};
  CO_TRY(const auto shares, co_await mounts.share_folders(prefixes));
  co_return placement(lies_in(shares, *place, *from), lies_in(shares, *from, *place));
}

void TargetClaims::Claim::Leave::operator()(Held* held) const {
  {
    const std::lock_guard lock(held->claims.mutex_);
    held->places.erase(held->place);
  }
  delete held;
}

Result<TargetClaims::Claim> TargetClaims::claim_target(std::string place) {
  const std::lock_guard lock(mutex_);
  if (targets_.contains(place)) {
    return fail(ErrorCode::exists, "Something is being copied or moved to this name already.");
  }
  const auto is_above = [&](const std::string& folder) { return is_beneath(place, folder); };
  if (std::ranges::any_of(sources_, is_above)) {
    return fail(ErrorCode::conflict, "The folder is being renamed or moved. Try again later.");
  }
  return add(targets_, std::move(place));
}

Result<TargetClaims::Claim> TargetClaims::claim_source(std::string place) {
  const std::lock_guard lock(mutex_);
  const auto first = targets_.lower_bound(place + '/');
  if (first != targets_.end() && is_beneath(*first, place)) {
    return fail(ErrorCode::conflict,
                "Something is being copied or moved into this folder. Try again later.");
  }
  return add(sources_, std::move(place));
}

}  // namespace coffer::core
