#include "core/recount.h"

#include <utility>

namespace coffer::core {
namespace {

constexpr int kTries = 10;

}  // namespace

Task<Result<Recount>> recount(catalog::Ledger& ledger, Homes& homes,
                              const catalog::Account& account) {
  auto home = homes.of(account);
  if (!home) co_return failure_of(std::move(home));
  Recount result;
  for (int i = 0; i < kTries; ++i) {
    const auto before = co_await ledger.usage(account.id);
    if (!before) co_return failure_of(before);
    const auto size = co_await (*home)->measure(Path());
    if (!size) co_return failure_of(size);
    result = {size->bytes, before->used_bytes, true};
    const auto corrected = co_await ledger.correct(account.id, size->bytes, before->version);
    if (!corrected) co_return failure_of(corrected);
    if (*corrected) co_return result;
  }
  result.settled = false;
  co_return result;
}

}  // namespace coffer::core
