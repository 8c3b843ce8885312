#include "app/readiness.h"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

namespace coffer::app {

Task<bool> RememberedCheck::passes() {
  const Waiting waiting = co_await begin();
  if (waiting) {
    boost::system::error_code is_answered;
    co_await waiting->async_wait(asio::redirect_error(asio::use_awaitable, is_answered));
  }
  const std::lock_guard lock(mutex_);
  co_return !is_asking_ && answer_;
}

Task<RememberedCheck::Waiting> RememberedCheck::begin() {
  const auto executor = co_await asio::this_coro::executor;
  Waiting waiting;
  bool begins = false;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (!is_asking_ && answered_at_ != Clock::time_point() && now < answered_at_ + times_.fresh) {
      co_return nullptr;
    }
    begins = !std::exchange(is_asking_, true);
    if (begins) asked_at_ = now;
    if (now >= asked_at_ + times_.limit) co_return nullptr;
    waiting = std::make_shared<asio::steady_timer>(executor, asked_at_ + times_.limit);
    waiting_.push_back(waiting);
  }
  if (begins) background_.spawn(ask());
  co_return waiting;
}

Task<void> RememberedCheck::ask() {
  bool answer = false;
  try {
    answer = co_await check_();
  } catch (const std::exception& error) {
    spdlog::error("what readiness asks for cannot be asked: {}", error.what());
  }
  take(answer);
}

void RememberedCheck::take(bool answer) {
  const std::lock_guard lock(mutex_);
  is_asking_ = false;
  answer_ = answer;
  answered_at_ = Clock::now();
  // On the thread of each, which is where it begins to wait.
  for (Waiting& one : std::exchange(waiting_, {})) {
    const auto executor = one->get_executor();
    asio::post(executor, [one = std::move(one)] { one->cancel(); });
  }
}

namespace {

Task<bool> catalog_answers(AppContext& app) {
  const auto answer = co_await app.catalog().setup().is_open();
  co_return answer.has_value();
}

Task<bool> store_answers(AppContext& app) {
  const auto answer = co_await app.object_store()->reach();
  co_return answer.has_value();
}

}  // namespace

ServerReadiness::ServerReadiness(AppContext& app, core::Background& background)
    : catalog_(background, [&app] { return catalog_answers(app); }),
      store_(background, [&app] { return store_answers(app); }),
      has_store_(app.object_store() != nullptr) {}

Task<Result<void>> ServerReadiness::look() {
  if (is_ending_) co_return fail(ErrorCode::unready, "The server is stopping.");
  const bool catalog_answers = co_await catalog_.passes();
  if (!catalog_answers) co_return fail(ErrorCode::unready, "The catalog does not answer.");
  if (!has_store_) co_return Result<void>{};
  const bool store_answers = co_await store_.passes();
  if (store_answers) co_return Result<void>{};
  co_return fail(ErrorCode::unready, "The store of objects does not answer.");
}

}  // namespace coffer::app
