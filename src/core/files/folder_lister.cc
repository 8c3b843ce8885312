#include "core/files/folder_lister.h"

#include <cstdint>
#include <utility>

namespace coffer::core {
namespace {

/// Some 4,000 entries. A folder that takes more is large.
constexpr std::size_t kFewBytes = 512 * 1024;

/// What sorting takes for a moment, and the growth of a vector, come on top.
std::uint64_t in_work(std::size_t bytes) {
  return std::uint64_t{bytes} * 9 / 4;
}

/// Guests wait for each other, not their account for them.
AccountId queue_of(const Principal& principal) {
  const AccountId account = principal.account->id;
  return principal.is_guest ? AccountId{-account.value} : account;
}

std::unexpected<Error> never_fits() {
  return fail(ErrorCode::overloaded,
              "The folder has too many items to list them at once with the memory that this server "
              "may use (memory_mib).");
}

}  // namespace

Task<Result<storage::Listed>> FolderLister::list(Principal principal,
                                                 std::shared_ptr<storage::Backend> backend,
                                                 Path folder, storage::IsWanted is_wanted) {
  const MemoryHolder holder = holder_of(principal);
  const std::size_t most = backend->is_remote() ? SIZE_MAX : kFewBytes;
  CO_TRY(auto listed, co_await list_within(most, holder, *backend, folder));
  if (listed) co_return *std::move(listed);
  AccountSlots::Waiter waiter(queue_of(principal));
  auto turn = co_await large_.enter(waiter);
  if (is_ending_) co_return fail(ErrorCode::overloaded, "The server is stopping.");
  if (is_wanted && !is_wanted()) {
    co_return fail(ErrorCode::failed, "Nobody waits for this listing any more.");
  }
  CO_TRY(listed, co_await list_within(SIZE_MAX, holder, *backend, folder));
  listed->turn = *std::move(turn);
  co_return *std::move(listed);
}

/// Returns nullopt if the entries take more bytes.
Task<Result<std::optional<storage::Listed>>> FolderLister::list_within(std::size_t most_bytes,
                                                                       MemoryHolder holder,
                                                                       storage::Backend& backend,
                                                                       const Path& folder) {
  MemoryRoom::Hold hold = room_.begin(std::move(holder));
  std::size_t bytes = 0;
  Result<void> grown;
  const auto bound = [&](std::size_t more) {
    bytes += more;
    if (bytes > most_bytes) return false;
    grown = hold.grow(in_work(more));
    if (!grown && in_work(bytes) > room_.limits().of_only_one()) grown = never_fits();
    return grown.has_value();
  };
  auto listing = co_await backend.read_folder(folder, bound);
  if (bytes > most_bytes) co_return std::nullopt;
  if (!grown) co_return failure_of(std::move(grown));
  if (!listing) co_return failure_of(std::move(listing));
  storage::Listed listed{*std::move(listing), std::move(hold)};
  co_return listed;
}

storage::ListFolder FolderLister::of(const Principal& principal) {
  return [this, principal](const std::shared_ptr<storage::Backend>& backend, Path folder,
                           storage::IsWanted is_wanted) {
    return list(principal, backend, std::move(folder), std::move(is_wanted));
  };
}

}  // namespace coffer::core
