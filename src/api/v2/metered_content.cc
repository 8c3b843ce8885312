#include "api/v2/metered_content.h"

#include <algorithm>

namespace coffer::api::v2 {
namespace {

/// An answer of this size is read at once (see send_response), so that it is charged as a whole.
constexpr std::uint64_t kLeastPieceBytes = 64 * 1024;
constexpr std::uint64_t kMostPieceBytes = 1024 * 1024;

std::size_t piece_of(std::uint64_t size_bytes) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(size_bytes / 32, kLeastPieceBytes, kMostPieceBytes));
}

}  // namespace

Task<Result<std::size_t>> MeteredContent::read(std::uint64_t offset, std::span<std::byte> out) {
  const std::size_t most = std::min(out.size(), piece_of(size_bytes_));
  CO_TRY(const std::size_t got, co_await content_->read(offset, out.first(most)));
  if (got > 0) CO_TRY_VOID(co_await charge_(got));
  co_return got;
}

}  // namespace coffer::api::v2
