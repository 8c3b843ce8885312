#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <functional>
#include <utility>

#include "async/task.h"

namespace coffer {

/// A function that resumes a suspended coroutine on the coroutine's own executor. Call it at most
/// once, from any thread.
using Resume = std::move_only_function<void()>;

/// Suspends the calling coroutine and passes its Resume to `start`. `start` must call the Resume or
/// store it for a later call. If the Resume is never called, the coroutine stays suspended until it
/// is destroyed.
template <class Start>
Task<void> suspend(Start start) {
  auto executor = co_await asio::this_coro::executor;
  auto initiate = [&start, &executor](auto handler) {
    // Without the guard, the context could run out of work and be destroyed before post() has
    // returned, because the resumed coroutine may be the context's last work.
    start(Resume([guard = asio::make_work_guard(executor), waiting = std::move(handler)]() mutable {
      asio::post(guard.get_executor(), std::move(waiting));
    }));
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(std::move(initiate),
                                                                       asio::use_awaitable);
}

}  // namespace coffer
