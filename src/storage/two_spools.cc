#include "storage/two_spools.h"

#include <algorithm>

namespace coffer::storage {

Task<Result<std::unique_ptr<SpoolFile>>> TwoSpools::open(UploadTurn turn, std::uint64_t size_bytes,
                                                         Pool& pool) {
  auto opened = co_await first_->open(turn, size_bytes, pool);
  if (opened || opened.error().code != ErrorCode::not_found) co_return opened;
  co_return co_await second_->open(std::move(turn), size_bytes, pool);
}

Task<Result<void>> TwoSpools::remove(std::string name, Pool& pool) {
  CO_TRY_VOID(co_await first_->remove(name, pool));
  co_return co_await second_->remove(std::move(name), pool);
}

Task<Result<std::vector<std::string>>> TwoSpools::names(Pool& pool) {
  CO_TRY(auto all, co_await first_->names(pool));
  CO_TRY(auto others, co_await second_->names(pool));
  std::ranges::move(others, std::back_inserter(all));
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  co_return all;
}

}  // namespace coffer::storage
