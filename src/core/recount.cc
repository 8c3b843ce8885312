#include "core/recount.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {
namespace {

constexpr int kTries = 10;
constexpr std::chrono::milliseconds kPause{20};

/// With what its bin holds, which has a hidden name.
Task<Result<std::uint64_t>> measure(storage::Backend& home) {
  const Path top;
  const auto shown = co_await home.measure(top);
  if (!shown) co_return failure_of(shown);
  const Path bin = Path::parse(storage::kBinFolder).value();
  const auto binned = co_await home.measure(bin);
  if (!binned && binned.error().code != ErrorCode::not_found) co_return failure_of(binned);
  co_return shown->bytes + (binned ? binned->bytes : 0);
}

}  // namespace

Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account) {
  auto home = homes.of(account);
  if (home || home.error().code != ErrorCode::not_found) co_return home;
  const auto usage = co_await ledger.usage(account.id);
  if (!usage) co_return failure_of(usage);
  if (usage->used_bytes != 0) co_return home;
  const auto made = homes.make(account);
  if (!made) co_return failure_of(made);
  co_return homes.of(account);
}

Task<Result<Recount>> recount(catalog::Ledger& ledger, HomeDirectories& homes,
                              const catalog::Account& account) {
  auto home = co_await open_home(ledger, homes, account);
  if (!home) co_return failure_of(std::move(home));
  Recount result;
  asio::steady_timer pause(co_await asio::this_coro::executor);
  for (int i = 0; i < kTries; ++i) {
    // Writes that have just ended settle within a tenth of a second.
    pause.expires_after(i * kPause);
    co_await pause.async_wait(asio::use_awaitable);
    const auto before = co_await ledger.usage(account.id);
    if (!before) co_return failure_of(before);
    const auto bytes = co_await measure(**home);
    if (!bytes) co_return failure_of(bytes);
    result = {*bytes, before->used_bytes, true};
    const auto corrected = co_await ledger.correct(account.id, *bytes, before->version);
    if (!corrected) co_return failure_of(corrected);
    if (*corrected) co_return result;
  }
  result.settled = false;
  co_return result;
}

}  // namespace coffer::core
