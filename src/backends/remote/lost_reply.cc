#include "backends/remote/lost_reply.h"

#include <utility>

namespace coffer::remote {
namespace {

/// Where the answer was lost, nothing left is a success.
Task<Result<void>> verified(Adapter& adapter, const ServerPath& place, Task<Result<void>> removal) {
  auto removed = co_await std::move(removal);
  if (removed || !adapter.is_unsure()) co_return removed;
  const auto left = co_await adapter.find(place, Look::sure);
  if (left && !*left) removed = {};
  co_return removed;
}

}  // namespace

Task<Result<bool>> was_moved(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                             std::optional<std::uint64_t> size_bytes) {
  const auto left = co_await adapter.find(from, Look::sure);
  if (!left) co_return failure_of(left);
  if (*left) co_return false;
  const auto arrived = co_await adapter.find(to, Look::sure);
  if (!arrived) co_return failure_of(arrived);
  co_return *arrived && (!size_bytes || (*arrived)->size_bytes == *size_bytes);
}

Task<Result<void>> move_verified(Adapter& adapter, const ServerPath& from, const ServerPath& to,
                                 Kind kind) {
  auto moved = co_await adapter.move(from, to, kind);
  if (moved || !adapter.is_unsure()) co_return moved;
  const auto done = co_await was_moved(adapter, from, to);
  if (done.value_or(false)) moved = {};
  co_return moved;
}

Task<Result<void>> remove_verified(Adapter& adapter, const ServerPath& file, Kind shown_as) {
  return verified(adapter, file, adapter.remove_file(file, shown_as));
}

Task<Result<void>> remove_folder_verified(Adapter& adapter, const ServerPath& folder) {
  return verified(adapter, folder, adapter.remove_folder(folder));
}

Task<Result<void>> need_free_name(Adapter& adapter, const ServerPath& place) {
  const auto item = co_await adapter.find(place, Look::sure);
  if (!item) co_return failure_of(item);
  if (*item) co_return fail_taken();
  co_return Result<void>();
}

Task<Result<void>> need_folder(Adapter& adapter, const ServerPath& folder) {
  const auto item = co_await adapter.find(folder, Look::parent);
  if (!item) co_return failure_of(item);
  if (!*item) co_return fail_missing();
  if ((*item)->kind != Kind::folder) co_return fail_no_folder();
  co_return Result<void>();
}

}  // namespace coffer::remote
