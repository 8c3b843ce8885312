#include "backends/objects/garbage.h"

#include <string>
#include <vector>

namespace coffer::objects {
namespace {

/// Of one transaction, and of one request to the store.
constexpr std::size_t kMostAtOnce = 1000;

}  // namespace

Task<Result<std::size_t>> remove_garbage(storage::Names& names, Blobs& blobs,
                                         std::chrono::seconds grace,
                                         std::function<bool()> is_ending) {
  const auto goes_on = [&] { return !is_ending || !is_ending(); };
  for (bool is_more = true; is_more && goes_on();) {
    CO_TRY(is_more, co_await names.take_apart_removed(kMostAtOnce));
  }
  for (bool is_more = true; is_more && goes_on();) {
    CO_TRY(is_more, co_await names.release_contents(kMostAtOnce));
  }
  std::size_t removed = 0;
  for (bool is_more = true; is_more && goes_on();) {
    CO_TRY(const auto objects, co_await names.garbage(grace, kMostAtOnce));
    if (objects.empty()) break;
    std::vector<ObjectId> ids;
    for (const auto& object : objects) ids.push_back({object});
    CO_TRY_VOID(co_await blobs.remove(ids));
    CO_TRY_VOID(co_await names.forget(objects));
    removed += objects.size();
    is_more = objects.size() == kMostAtOnce;
  }
  co_return removed;
}

}  // namespace coffer::objects
