#pragma once

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "async/task.h"
#include "base/error.h"

namespace coffer {

/// Awaits `task` and returns its result. If `limit` passes first, cancels the task, waits until it
/// has ended, and returns `timed_out` with `message`. The task must support Asio's cancellation.
template <class T>
Task<Result<T>> with_deadline(Task<Result<T>> task, std::chrono::steady_clock::duration limit,
                              std::string message) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer timer(co_await asio::this_coro::executor, limit);
  auto first = co_await (std::move(task) || timer.async_wait(asio::use_awaitable));
  if (first.index() == 1) co_return fail(ErrorCode::timed_out, std::move(message));
  co_return std::get<0>(std::move(first));
}

}  // namespace coffer
