#include "api/json_pieces.h"

#include <cstring>
#include <utility>

namespace coffer::api {

void JsonPieces::add(std::string piece) {
  size_bytes_ += piece.size();
  pieces_.push_back(std::move(piece));
}

Task<Result<std::size_t>> JsonPieces::read(std::uint64_t offset, std::span<std::byte> out) {
  co_return *read_now(offset, out);
}

std::optional<std::size_t> JsonPieces::read_now(std::uint64_t offset, std::span<std::byte> out) {
  std::size_t done = 0;
  while (!pieces_.empty() && done < out.size() && offset + done >= first_offset_) {
    const std::string& piece = pieces_.front();
    const auto rest = std::string_view(piece).substr(offset + done - first_offset_);
    const auto part = rest.substr(0, out.size() - done);
    std::memcpy(out.data() + done, part.data(), part.size());
    done += part.size();
    if (part.size() < rest.size()) break;
    first_offset_ += piece.size();
    pieces_.pop_front();
  }
  return done;
}

Task<void> JsonPieces::prefetch(std::uint64_t /*offset*/, std::uint64_t /*length*/) {
  co_return;
}

}  // namespace coffer::api
