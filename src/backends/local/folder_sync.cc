#include "backends/local/folder_sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <memory>

#include "backends/local/errno_error.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

int sync_errno(int folder) {
  const Handle readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return errno;
  return ::fsync(readable.get()) == 0 ? 0 : errno;
}

}  // namespace

Result<void> FolderSync::sync_here(int folder) {
  if (const int error = sync_errno(folder); error != 0) return fail_with(error);
  return {};
}

Task<Result<void>> FolderSync::sync(Handle folder) {
  const auto status = status_of(folder.get(), STATX_INO);
  if (!status) co_return fail_with(status.error());
  const std::uint64_t device = (std::uint64_t{status->stx_dev_major} << 32) | status->stx_dev_minor;
  const Key key{device, status->stx_ino};
  auto executor = co_await asio::this_coro::executor;
  // It lives in this frame, which stays until the waiter resumes it.
  int error = 0;
  auto start = [&, executor](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    // As in Pool::run, the guard outlives the posting.
    auto guard = asio::make_work_guard(executor);
    wait_for_turn(key, std::move(folder), [&error, guard, shared](int outcome) {
      error = outcome;
      asio::post(guard.get_executor(), [shared] { std::move (*shared)(); });
    });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(std::move(start),
                                                                       asio::use_awaitable);
  if (error != 0) co_return fail_with(error);
  co_return Result<void>{};
}

void FolderSync::wait_for_turn(const Key& key, Handle folder, Waiter waiter) {
  Turn* begun = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = turns_.try_emplace(key);
    place->second.waiting.push_back(std::move(waiter));
    if (!is_new) return;
    begun = &place->second;
    begun->folder = std::move(folder);
  }
  pool_.post([this, begun, key] { run_turns(*begun, key); });
}

void FolderSync::run_turns(Turn& turn, const Key& key) {
  while (true) {
    std::vector<Waiter> served;
    {
      const std::lock_guard lock(mutex_);
      if (turn.waiting.empty()) {
        turns_.erase(key);
        return;
      }
      served.swap(turn.waiting);
    }
    const int error = sync_errno(turn.folder.get());
    for (const Waiter& waiter : served) waiter(error);
  }
}

}  // namespace coffer::local
