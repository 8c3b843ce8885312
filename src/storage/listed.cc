#include "storage/listed.h"

#include <utility>

namespace coffer::storage {
namespace {

Task<Result<Listed>> list_all(std::shared_ptr<Backend> backend, Path folder) {
  CO_TRY(auto listing, co_await backend->read_folder(folder));
  Listed listed{std::move(listing)};
  co_return listed;
}

}  // namespace

Result<void> Listed::settle() {
  std::uint64_t bytes = (entries.capacity() - entries.size()) * sizeof(Entry);
  for (const Entry& entry : entries) bytes += memory_of(entry);
  hold.shrink_to(bytes);
  TRY_VOID(hold.grow(bytes - hold.bytes()));
  turn.reset();
  return {};
}

bool is_short_of_memory(const Error& error) {
  return error.code == ErrorCode::rate_limited || error.code == ErrorCode::overloaded;
}

ListFolder list_without_limit() {
  return [](const std::shared_ptr<Backend>& backend, Path folder, const IsWanted& /*is_wanted*/) {
    return list_all(backend, std::move(folder));
  };
}

}  // namespace coffer::storage
