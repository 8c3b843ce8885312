#include "core/target_claims.h"

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

bool is_beneath(const std::string& place, const std::string& folder) {
  return place.size() > folder.size() && place.starts_with(folder) && place[folder.size()] == '/';
}

}  // namespace

void TargetClaims::Claim::Leave::operator()(Held* held) const {
  {
    const std::lock_guard lock(held->claims.mutex_);
    held->places.erase(held->place);
  }
  delete held;
}

Result<TargetClaims::Claim> TargetClaims::claim(std::string place) {
  const std::lock_guard lock(mutex_);
  if (targets_.contains(place)) {
    return fail(ErrorCode::exists, "Something is being copied or moved to this name already.");
  }
  const auto is_above = [&](const std::string& folder) { return is_beneath(place, folder); };
  if (std::ranges::any_of(leaving_, is_above)) {
    return fail(ErrorCode::conflict, "The folder is being renamed or moved. Try again later.");
  }
  return hold(targets_, std::move(place));
}

Result<TargetClaims::Claim> TargetClaims::leave(std::string place) {
  const std::lock_guard lock(mutex_);
  const auto first = targets_.lower_bound(place + '/');
  if (first != targets_.end() && is_beneath(*first, place)) {
    return fail(ErrorCode::conflict,
                "Something is being copied or moved into this folder. Try again later.");
  }
  return hold(leaving_, std::move(place));
}

}  // namespace coffer::core
