#include "core/sweep.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log.h"
#include "core/principal.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

Task<Result<void>> sweep_one(const Place& place) {
  // No quota counts what has a hidden name.
  const auto removed = co_await place.backend->remove(place.path);
  if (removed || removed.error().code == ErrorCode::not_found) co_return Result<void>{};
  co_return failure_of(removed);
}

/// What the task left, if its path still leads somewhere.
Task<Result<Place>> left_over_of(Space& space, const catalog::TaskRecord& task) {
  const auto path = Path::parse(task.left_over);
  if (!path) co_return failure_of(path);
  auto place = co_await space.resolve(path->parent());
  if (!place) co_return place;
  place->path = place->path / Path::parse(path->name()).value();
  place->is_top = false;
  co_return place;
}

}  // namespace

Task<void> sweep(Space /*space*/, std::vector<Place> places) {
  for (const Place& place : places) {
    // By now any other name may be somebody's own.
    if (!storage::is_partial_name(place.path.name())) continue;
    const auto swept = co_await sweep_one(place);
    if (!swept) spdlog::warn("an incomplete item was not removed: {}", swept.error().message);
  }
}

Task<void> sweep_left_overs(catalog::Catalog& catalog, Homes& homes, Mounts& mounts,
                            std::vector<catalog::TaskRecord> interrupted) {
  const auto accounts = co_await catalog.accounts().list();
  if (!accounts) co_return;
  for (const catalog::TaskRecord& task : interrupted) {
    const auto owner = std::ranges::find(*accounts, task.account, &catalog::Account::id);
    if (owner == accounts->end()) continue;
    Principal principal;
    principal.account = std::make_shared<const catalog::Account>(*owner);
    auto space = Space::of(principal, homes, mounts);
    if (!space) continue;
    const auto place = co_await left_over_of(*space, task);
    if (!place) continue;
    std::vector<Place> places = {*place};
    co_await sweep(*std::move(space), std::move(places));
  }
}

}  // namespace coffer::core
