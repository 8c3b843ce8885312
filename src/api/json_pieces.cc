#include "api/json_pieces.h"

#include <cstring>
#include <string_view>
#include <utility>

namespace coffer::api {

void JsonPieces::add(std::string piece) {
  size_bytes_ += piece.size();
  pieces_.push_back(std::move(piece));
}

Task<Result<std::size_t>> JsonPieces::read(std::uint64_t offset, std::span<std::byte> out) {
  co_return *read_now(offset, out);
}

// Of one piece at a time, so that sending it is soon done.
std::optional<std::size_t> JsonPieces::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (pieces_.empty() || offset < first_offset_) return 0;
  const std::string& piece = pieces_.front();
  const auto rest = std::string_view(piece).substr(offset - first_offset_);
  const auto part = rest.substr(0, out.size());
  std::memcpy(out.data(), part.data(), part.size());
  if (part.size() == rest.size()) {
    first_offset_ += piece.size();
    pieces_.pop_front();
  }
  return part.size();
}

Task<void> JsonPieces::prefetch(std::uint64_t /*offset*/, std::uint64_t /*length*/) {
  co_return;
}

}  // namespace coffer::api
