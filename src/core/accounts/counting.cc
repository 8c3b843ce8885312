#include "core/accounts/counting.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace coffer::core {
namespace {

/// Each reads disks with the threads of its account.
constexpr int kAtOnce = 2;
constexpr std::chrono::seconds kPatience{20};
/// Of an account that is written to without end.
constexpr int kMostTries = 20;

}  // namespace

Task<Result<void>> Counting::begin() {
  CO_TRY(const auto uncounted, co_await catalog_.ledger().uncounted());
  if (uncounted.empty()) {
    is_owed_ = false;
    co_return Result<void>{};
  }
  CO_TRY(auto accounts, co_await catalog_.accounts().list());
  is_owed_ = false;
  const std::lock_guard lock(mutex_);
  for (catalog::Account& account : accounts) {
    if (std::ranges::find(uncounted, account.id) == uncounted.end()) continue;
    if (unsure_.try_emplace(account.id).second) left_.push_back({std::move(account)});
  }
  unsure_count_ = unsure_.size();
  co_return Result<void>{};
}

void Counting::start(Background& background) {
  if (unsure_count_ == 0) return;
  int missing = 0;
  {
    const std::lock_guard lock(mutex_);
    missing = kAtOnce - std::exchange(running_, kAtOnce);
  }
  for (int i = 0; i < missing; ++i) background.spawn(run(background));
}

Task<void> Counting::run(Background& background) {
  while (!background.is_ending()) {
    auto next = take_next();
    if (!next) co_return;
    if (co_await count(*next)) {
      end(next->account.id);
      continue;
    }
    ++next->tries;
    const std::lock_guard lock(mutex_);
    left_.push_back(*std::move(next));
  }
}

std::optional<Counting::Left> Counting::take_next() {
  const std::lock_guard lock(mutex_);
  if (left_.empty()) {
    --running_;
    return std::nullopt;
  }
  const auto is_waited_for = [this](const Left& left) {
    return !unsure_.at(left.account.id).empty();
  };
  auto next = std::ranges::find_if(left_, is_waited_for);
  if (next == left_.end()) next = left_.begin();
  Left taken = std::move(*next);
  left_.erase(next);
  return taken;
}

Task<bool> Counting::count(const Left& left) {
  const auto counted = co_await recount(catalog_, homes_, left.account.id);
  const std::string& name = left.account.name;
  // Of a folder that is missing the start has told.
  if (!counted && counted.error().code != ErrorCode::not_found) {
    spdlog::error("the files of account {} could not be counted, so its figures may be wrong: {}",
                  name, counted.error().message);
  }
  const bool is_away = !counted && (counted.error().code == ErrorCode::unready ||
                                    counted.error().code == ErrorCode::in_doubt);
  if (is_away) is_owed_ = true;
  if (!counted || counted->settled) co_return true;
  if (left.tries + 1 < kMostTries) co_return false;
  spdlog::warn(
      "the files of account {} change without end, so its figures may be wrong until the next "
      "start",
      name);
  co_return true;
}

void Counting::end(AccountId account) {
  const std::lock_guard lock(mutex_);
  const auto found = unsure_.find(account);
  for (const auto& waiting : found->second) {
    auto timer = waiting.lock();
    // Not cancelled, since the call may not wait yet.
    if (timer) asio::post(timer->get_executor(), [timer] { timer->expires_at({}); });
  }
  unsure_.erase(found);
  unsure_count_ = unsure_.size();
  if (unsure_.empty()) spdlog::info("all files are counted");
}

bool Counting::is_unsure(AccountId account) const {
  if (unsure_count_ == 0) return false;
  const std::lock_guard lock(mutex_);
  return unsure_.contains(account);
}

Task<Result<void>> Counting::settled(AccountId account) {
  if (unsure_count_ == 0) co_return Result<void>{};
  const auto timer = std::make_shared<Timer>(co_await asio::this_coro::executor, kPatience);
  {
    const std::lock_guard lock(mutex_);
    const auto found = unsure_.find(account);
    if (found == unsure_.end()) co_return Result<void>{};
    std::erase_if(found->second, [](const auto& waiting) { return waiting.expired(); });
    found->second.push_back(timer);
  }
  boost::system::error_code ignored;
  co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (!is_unsure(account)) co_return Result<void>{};
  co_return fail(ErrorCode::overloaded,
                 "The files of the account are being counted after a crash. Try again soon.");
}

}  // namespace coffer::core
