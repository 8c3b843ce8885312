#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "async/task.h"

namespace coffer {

/// Threads for calls that may block: cold disk, SQL, libraries without an asynchronous face. An I/O
/// thread never makes such a call itself. Safe from any thread; outlives every task that uses it.
class Pool {
 public:
  explicit Pool(std::size_t threads);
  /// Waits for the calls that were begun.
  ~Pool();

  /// Runs `work()` on a thread of the pool and resumes the awaiter on its own executor with what it
  /// returned or threw. Cancellation does not reach a call that was begun: it ends by itself first.
  template <class F>
  Task<std::invoke_result_t<F>> run(F work);

  /// Runs `work()`, which must not throw, on a thread of the pool; nobody waits for it.
  template <class F>
  void post(F work) {
    asio::post(threads_, std::move(work));
  }

 private:
  template <class R>
  struct Outcome;
  asio::thread_pool threads_;
};

template <class R>
struct Pool::Outcome {
  std::exception_ptr error;
  std::conditional_t<std::is_void_v<R>, std::optional<char>, std::optional<R>> value;
};

template <class F>
Task<std::invoke_result_t<F>> Pool::run(F work) {
  using R = std::invoke_result_t<F>;
  auto executor = co_await asio::this_coro::executor;
  // The outcome lives in this frame, which stays until the handler below resumes it.
  Outcome<R> outcome;
  auto start = [this, executor, &work, &outcome](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    // The guard keeps the awaiter's context running, and so alive, until posting to it has
    // returned: resumed, the awaiter may be the last that stood in the way of its end.
    auto guard = asio::make_work_guard(executor);
    asio::post(threads_,
               [guard = std::move(guard), &work, &outcome, shared = std::move(shared)]() mutable {
                 try {
                   if constexpr (std::is_void_v<R>) {
                     work();
                   } else {
                     outcome.value.emplace(work());
                   }
                 } catch (...) {
                   outcome.error = std::current_exception();
                 }
                 asio::post(guard.get_executor(),
                            [shared = std::move(shared)]() mutable { std::move (*shared)(); });
               });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(std::move(start),
                                                                       asio::use_awaitable);
  if (outcome.error) std::rethrow_exception(outcome.error);
  if constexpr (!std::is_void_v<R>) co_return std::move(*outcome.value);
}

}  // namespace coffer
