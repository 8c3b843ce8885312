#include "core/capacity.h"

namespace coffer::core {
namespace {

/// Every disk holds so much, and to ask costs as much as a small upload.
constexpr std::uint64_t kNotWorthAsking = 8 * 1024 * 1024;

}  // namespace

Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes) {
  if (bytes <= kNotWorthAsking) co_return Result<void>{};
  const auto capacity = co_await backend.capacity();
  if (!capacity || bytes <= *capacity) co_return Result<void>{};
  co_return fail(ErrorCode::disk_full, "The disk is too small to hold this.");
}

}  // namespace coffer::core
