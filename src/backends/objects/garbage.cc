#include "backends/objects/garbage.h"

#include <spdlog/spdlog.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coffer::objects {
namespace {

/// Of one transaction, and of one request to the store.
constexpr std::size_t kMostAtOnce = 1000;

using GoesOn = std::function<bool()>;
using Step = Task<Result<bool>> (storage::Names::*)(std::size_t);

Task<Result<void>> repeat(storage::Names& names, Step step, const GoesOn& goes_on) {
  for (bool is_more = true; is_more && goes_on();) {
    CO_TRY(is_more, co_await (names.*step)(kMostAtOnce));
  }
  co_return Result<void>();
}

/// What became of garbage in the store.
struct Removal {
  std::size_t removed = 0;
  std::size_t refused = 0;
};

/// Adds to `removal` what became of these.
Task<Result<void>> remove_some(storage::Names& names, Blobs& blobs, std::chrono::seconds grace,
                               const std::vector<std::string>& objects, Removal& removal) {
  std::vector<ObjectId> ids;
  for (const auto& object : objects) ids.push_back({object});
  CO_TRY(const auto refused_ids, co_await blobs.remove(ids));
  std::set<std::string> kept;
  for (const ObjectId& id : refused_ids) kept.insert(id.value);
  std::vector<std::string> gone;
  std::vector<std::string> refused;
  for (const auto& object : objects) (kept.contains(object) ? refused : gone).push_back(object);
  CO_TRY_VOID(co_await names.forget(gone));
  removal.removed += gone.size();
  removal.refused += refused.size();
  if (refused.empty()) co_return Result<void>();
  co_return co_await names.put_back(refused, grace);
}

Task<Result<void>> remove_objects(storage::Names& names, Blobs& blobs, std::chrono::seconds grace,
                                  const GoesOn& goes_on, Removal& removal) {
  while (goes_on()) {
    CO_TRY(const auto objects, co_await names.garbage(grace, kMostAtOnce));
    if (objects.empty()) break;
    CO_TRY_VOID(co_await remove_some(names, blobs, grace, objects, removal));
    if (objects.size() < kMostAtOnce) break;
  }
  co_return Result<void>();
}

}  // namespace

Task<Result<std::size_t>> remove_garbage(storage::Names& names, Blobs& blobs,
                                         std::chrono::seconds grace,
                                         std::function<bool()> is_ending) {
  const GoesOn goes_on = [&] { return !is_ending || !is_ending(); };
  Removal removal;
  // What keeps one of them from its work need not keep the others.
  auto taken_apart = co_await repeat(names, &storage::Names::take_apart_removed, goes_on);
  auto released = co_await repeat(names, &storage::Names::release_contents, goes_on);
  auto removed = co_await remove_objects(names, blobs, grace, goes_on, removal);
  if (removal.refused > 0) {
    spdlog::warn(
        "{} objects of deleted files were not removed, since the store refused that; {} "
        "were. They are tried again in an hour.",
        removal.refused, removal.removed);
  }
  std::vector<Error> failures;
  for (auto* done : {&taken_apart, &released, &removed}) {
    if (!*done) failures.push_back(std::move(*done).error());
  }
  if (failures.empty()) co_return removal.removed;
  for (std::size_t i = 1; i < failures.size(); ++i) {
    spdlog::error("objects of deleted files are not removed: {}", failures[i].message);
  }
  co_return std::unexpected(std::move(failures[0]));
}

}  // namespace coffer::objects
