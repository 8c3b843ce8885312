#include "http/memory_content.h"

#include <algorithm>
#include <utility>

namespace coffer::http {

Task<Result<std::size_t>> MemoryContent::read(std::uint64_t offset, std::span<std::byte> out) {
  co_return *read_now(offset, out);
}

std::optional<std::size_t> MemoryContent::read_now(std::uint64_t offset, std::span<std::byte> out) {
  const auto from = std::as_bytes(std::span(bytes_)).subspan(std::min(offset, bytes_.size()));
  const std::size_t size = std::min(from.size(), out.size());
  std::ranges::copy(from.first(size), out.begin());
  return size;
}

Task<void> MemoryContent::prefetch(std::uint64_t /*offset*/, std::uint64_t /*length*/) {
  co_return;
}

ContentBody body_of(std::string_view bytes, std::shared_ptr<const void> owner) {
  ContentBody body;
  body.content = std::make_shared<MemoryContent>(bytes, std::move(owner));
  if (!bytes.empty()) body.stretches.push_back({{}, 0, bytes.size()});
  return body;
}

}  // namespace coffer::http
