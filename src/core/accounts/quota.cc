#include "core/accounts/quota.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <limits>
#include <utility>

#include "base/log.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

Task<void> return_reserved(catalog::Ledger& ledger, Reservation::AccountPtr account,
                           std::uint64_t bytes) {
  const auto given = co_await ledger.record(account->id, bytes, 0);
  if (!given) {
    spdlog::error("{} reserved bytes of account {} were not released: {}", bytes, account->name,
                  given.error().message);
  }
}

/// Every disk holds so much, and to ask costs as much as a small upload.
constexpr std::uint64_t kNotWorthAsking = 8 * 1024 * 1024;

constexpr int kTries = 10;
constexpr std::chrono::milliseconds kPause{20};

/// With the versions, and with what its bin holds, which has a hidden name.
Task<Result<std::uint64_t>> measure(storage::Backend& home) {
  const Path top;
  CO_TRY(const auto shown, co_await home.measure(top));
  const Path bin = Path::parse(storage::kBinFolder).value();
  const auto binned = co_await home.measure(bin);
  if (!binned && binned.error().code != ErrorCode::not_found) co_return failure_of(binned);
  co_return shown.all_bytes() + (binned ? binned->all_bytes() : 0);
}

}  // namespace

Task<Result<void>> wait_until_counted(const Quota& quota, const catalog::Account& account) {
  if (!quota.figures || account.quota_bytes == 0) co_return Result<void>{};
  co_return co_await quota.figures->settled(account.id);
}

Reservation::Reservation(const Quota& quota, AccountPtr account)
    : quota_(quota), account_(std::move(account)) {}

Reservation::~Reservation() {
  give_back_loan();
  const std::uint64_t all = reserved_bytes_ + held_bytes_;
  if (all > 0) quota_.background.spawn(return_reserved(quota_.ledger, account_, all));
}

std::uint64_t Reservation::bytes() const {
  return account_ ? reserved_bytes_ : std::numeric_limits<std::uint64_t>::max();
}

Task<Result<void>> Reservation::grow_to(std::uint64_t bytes) {
  auto grown = co_await try_grow_to(bytes);
  if (grown || grown.error().code != ErrorCode::over_quota) co_return grown;
  const bool is_freed = co_await quota_.relief.free_up(account_->id, bytes - reserved_bytes_);
  if (is_freed) grown = co_await try_grow_to(bytes);
  co_return grown;
}

Task<Result<void>> Reservation::grow_over_versions_to(std::uint64_t bytes,
                                                      std::uint64_t ahead_bytes) {
  auto grown = co_await try_grow_to(bytes);
  if (grown || grown.error().code != ErrorCode::over_quota) co_return grown;
  const std::uint64_t lack = bytes - reserved_bytes_;
  if (!co_await quota_.relief.free_versions(account_->id, lack, ahead_bytes)) co_return grown;
  grown = co_await try_grow_to(bytes + ahead_bytes);
  if (grown || grown.error().code != ErrorCode::over_quota) co_return grown;
  co_return co_await try_grow_to(bytes);
}

Task<Result<void>> Reservation::try_grow_to(std::uint64_t bytes) {
  if (bytes <= this->bytes()) co_return Result<void>{};
  CO_TRY_VOID(co_await wait_until_counted(quota_, *account_));
  const std::uint64_t more = bytes - reserved_bytes_;
  auto reserved = co_await quota_.ledger.reserve(account_->id, more);
  if (reserved) reserved_bytes_ = bytes;
  co_return reserved;
}

Task<Result<void>> Reservation::lend_to(std::uint64_t bytes) {
  if (!account_ || bytes <= lent_bytes_) co_return Result<void>{};
  CO_TRY_VOID(co_await wait_until_counted(quota_, *account_));
  CO_TRY(const auto usage, co_await quota_.ledger.usage(account_->id));
  if (!quota_.loans.add(account_->id, bytes - lent_bytes_, usage.used_bytes)) {
    co_return fail_over_quota();
  }
  lent_bytes_ = bytes;
  co_return Result<void>{};
}

std::uint64_t Reservation::covered_bytes() const {
  return account_ ? reserved_bytes_ + lent_bytes_ : bytes();
}

void Reservation::give_back_loan() {
  if (lent_bytes_ > 0) quota_.loans.take_off(account_->id, std::exchange(lent_bytes_, 0));
}

void Reservation::add_reserved(std::uint64_t bytes) {
  if (account_) reserved_bytes_ += bytes;
}

std::uint64_t Reservation::release() {
  return std::exchange(reserved_bytes_, 0);
}

Task<Result<void>> Reservation::hold() {
  if (!account_ || reserved_bytes_ + held_bytes_ > 0) co_return Result<void>{};
  auto held = co_await quota_.ledger.reserve_to_free(account_->id);
  if (held) held_bytes_ = catalog::Ledger::kFreeingBytes;
  co_return held;
}

Task<Result<std::uint64_t>> Reservation::available() {
  constexpr auto kUnlimited = std::numeric_limits<std::uint64_t>::max();
  if (!account_) co_return kUnlimited;
  CO_TRY_VOID(co_await wait_until_counted(quota_, *account_));
  CO_TRY(const auto usage, co_await quota_.ledger.usage(account_->id));
  if (usage.limit_bytes == 0) co_return kUnlimited;
  const std::uint64_t taken = usage.used_bytes + usage.reserved_bytes - reserved_bytes_;
  const std::uint64_t others =
      taken - std::min(taken, co_await quota_.relief.freeable_bytes(account_->id));
  co_return usage.limit_bytes > others ? usage.limit_bytes - others : 0;
}

Task<Result<void>> Reservation::commit(std::int64_t used_delta) {
  if (!account_) co_return Result<void>{};
  const std::uint64_t reserved = std::exchange(reserved_bytes_, 0) + std::exchange(held_bytes_, 0);
  give_back_loan();
  co_return co_await quota_.ledger.record(account_->id, reserved, used_delta);
}

Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes) {
  if (bytes <= kNotWorthAsking) co_return Result<void>{};
  const auto capacity = co_await backend.capacity();
  if (!capacity || bytes <= *capacity) co_return Result<void>{};
  co_return fail(ErrorCode::disk_full, "The disk is too small to hold this.");
}

Task<Result<std::shared_ptr<storage::Backend>>> open_home(catalog::Ledger& ledger,
                                                          HomeDirectories& homes,
                                                          const catalog::Account& account) {
  auto home = co_await homes.find(account);
  if (home || home.error().code != ErrorCode::not_found) co_return home;
  CO_TRY(const auto usage, co_await ledger.usage(account.id));
  if (usage.used_bytes != 0) co_return home;
  CO_TRY_VOID(co_await homes.make(account));
  co_return homes.of(account);
}

Task<Result<Recount>> recount(catalog::Catalog& catalog, HomeDirectories& homes, AccountId id) {
  catalog::Ledger& ledger = catalog.ledger();
  CO_TRY(const auto account, co_await catalog.accounts().get(id));
  CO_TRY(auto home, co_await open_home(ledger, homes, account));
  Recount result;
  asio::steady_timer pause(co_await asio::this_coro::executor);
  for (int i = 0; i < kTries; ++i) {
    // Ledger updates of finished writes arrive within a tenth of a second.
    pause.expires_after(i * kPause);
    co_await pause.async_wait(asio::use_awaitable);
    CO_TRY(const auto before, co_await ledger.usage(id));
    CO_TRY(const auto bytes, co_await measure(*home));
    result = {bytes, before.used_bytes, true};
    // A later change of the place is one of the version too.
    CO_TRY(const auto now, co_await catalog.accounts().get(id));
    if (now.home_store != account.home_store) break;
    CO_TRY(const auto corrected, co_await ledger.correct(id, bytes, before.version));
    if (corrected) co_return result;
  }
  result.settled = false;
  co_return result;
}

}  // namespace coffer::core
