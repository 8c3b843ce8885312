#include "core/accounts/mount_room.h"

#include <algorithm>

namespace coffer::core {
namespace {

constexpr std::uint64_t kStepBytes = 8 * 1024 * 1024;

}  // namespace

Task<Result<catalog::RoomLimit>> MountRoom::limit_of(AccountId account) {
  catalog::RoomLimit limit{.bytes = limit_bytes_, .other_bytes = collected_.of(account)};
  if (limit_bytes_ == 0) {
    CO_TRY(limit.free_bytes, co_await free_bytes_());
  }
  co_return limit;
}

Task<Result<void>> MountRoom::Share::grow_to(std::uint64_t bytes) {
  if (bytes <= bytes_) co_return Result<void>{};
  auto grown = co_await try_grow_to(bytes + kStepBytes);
  if (grown || grown.error().code != ErrorCode::over_quota) co_return grown;
  co_return co_await try_grow_to(bytes);
}

Task<Result<void>> MountRoom::Share::try_grow_to(std::uint64_t bytes) {
  CO_TRY(const auto limit, co_await room_.limit_of(account_));
  CO_TRY(const std::uint64_t uploads, co_await room_.uploads_.room_of(account_));
  const std::uint64_t most = most_room(limit, uploads + limit.other_bytes);
  const std::uint64_t left = most - std::min(most, uploads);
  if (!room_.collected_.add(account_, bytes - bytes_, left)) co_return catalog::fail_no_room(most);
  bytes_ = bytes;
  co_return Result<void>{};
}

}  // namespace coffer::core
