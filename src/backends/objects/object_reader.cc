#include "backends/objects/object_reader.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cstring>
#include <utility>

namespace coffer::objects {
namespace {

std::size_t copy_out(std::span<const std::byte> bytes, std::span<std::byte> out) {
  const std::size_t count = std::min(out.size(), bytes.size());
  std::copy_n(bytes.begin(), count, out.begin());
  return count;
}

}  // namespace

ObjectReader::ObjectReader(storage::NamedFile file, Blobs& blobs)
    : file_(std::move(file)),
      blobs_(blobs),
      list_room_(blobs.begin_hold()),
      block_room_(blobs.begin_hold()) {
  std::uint64_t end = 0;
  ends_.reserve(file_.content->segments.size());
  for (const auto& segment : file_.content->segments) ends_.push_back(end += segment.size_bytes);
}

Result<std::unique_ptr<ObjectReader>> ObjectReader::make(storage::NamedFile file, Blobs& blobs) {
  // A list that is shorter takes less than a block.
  constexpr std::size_t kMostUncounted = 1'000;
  constexpr std::size_t kBytesOfOne = sizeof(storage::Segment) + 64;  // With the object's name.
  const std::size_t segments = file.content->segments.size();
  std::unique_ptr<ObjectReader> reader(new ObjectReader(std::move(file), blobs));
  if (segments > kMostUncounted) TRY_VOID(reader->list_room_.grow(segments * kBytesOfOne));
  return reader;
}

/// True if two blocks may be kept, or as much as the file has.
bool ObjectReader::has_room_for_blocks() {
  const std::uint64_t bytes = std::min<std::uint64_t>(2 * kBlockBytes, file_.content->size_bytes);
  if (bytes <= kFirstBlockBytes) return true;
  return block_room_.bytes() > 0 || block_room_.grow(bytes);
}

/// True if large blocks may be kept. Asks again for each block: room may have come.
bool ObjectReader::has_room_for_large_blocks() {
  const std::uint64_t left = file_.content->size_bytes - block_.end();
  if (in_order_ < kBlocksBeforeLarge || left <= kBlockBytes) return false;
  const auto bytes =
      std::min<std::uint64_t>((1 + kLargeAhead) * kLargeBlockBytes,
                              std::max(file_.content->size_bytes, block_room_.bytes()));
  return block_room_.bytes() >= bytes || block_room_.grow_if_ample(bytes - block_room_.bytes());
}

std::optional<std::size_t> ObjectReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= file_.content->size_bytes || out.empty()) return 0;
  const auto bytes = view(offset);
  if (bytes.empty()) return std::nullopt;
  return copy_out(bytes, out);
}

std::span<const std::byte> ObjectReader::view(std::uint64_t offset) {
  const auto& content = *file_.content;
  if (offset >= content.size_bytes) return {};
  if (content.segments.empty()) return std::as_bytes(std::span(content.bytes)).subspan(offset);
  if (!block_.holds(offset)) return {};
  return std::span(block_.bytes).subspan(offset - block_.begin);
}

Task<Result<std::size_t>> ObjectReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto at_once = read_now(offset, out)) co_return *at_once;
  CO_TRY_VOID(co_await move_to(offset, out.size()));
  co_return copy_out(view(offset), out);
}

Task<Result<void>> ObjectReader::move_to(std::uint64_t offset, std::size_t wanted) {
  const bool is_next = !block_.bytes.empty() && offset == block_.end();
  in_order_ = is_next ? in_order_ + 1 : 0;
  // What was read gives its memory to the next: fresh memory takes long to come.
  auto memory = std::exchange(block_, {}).bytes;
  if (!ahead_.empty() && ahead_.front().begin == offset) {
    Ahead next = std::move(ahead_.front());
    ahead_.pop_front();
    CO_TRY(block_, co_await next.block.wait());
  } else {
    ahead_.clear();
    const bool wants_block = is_next || offset == 0 || wanted > kFirstBlockBytes;
    const std::size_t size = wants_block && has_room_for_blocks() ? kBlockBytes : kFirstBlockBytes;
    const std::uint64_t end = end_of_block(offset, size);
    CO_TRY(block_, co_await load_at(offset, end, std::exchange(memory, {})));
  }
  if (is_next && has_room_for_blocks()) co_await read_ahead(std::move(memory));
  co_return Result<void>();
}

Task<void> ObjectReader::read_ahead(std::vector<std::byte> memory) {
  const bool is_large = has_room_for_large_blocks();
  const auto executor = co_await asio::this_coro::executor;
  while (ahead_.size() < (is_large ? kLargeAhead : 1)) {
    const std::uint64_t begin = ahead_.empty() ? block_.end() : ahead_.back().end;
    if (begin >= file_.content->size_bytes) co_return;
    const std::uint64_t end = end_of_block(begin, is_large ? kLargeBlockBytes : kBlockBytes);
    auto loading = load_at(begin, end, std::exchange(memory, {}));
    ahead_.push_back(Ahead{begin, end, Running<Block>(executor, std::move(loading))});
  }
}

/// A block lies in one segment.
std::uint64_t ObjectReader::end_of_block(std::uint64_t begin, std::size_t most) const {
  return std::min(begin + most, *std::ranges::upper_bound(ends_, begin));
}

/// No coroutine itself: what it returns does not need the reader.
Task<Result<ObjectReader::Block>> ObjectReader::load_at(std::uint64_t begin, std::uint64_t end,
                                                        std::vector<std::byte> memory) {
  const auto found = std::ranges::upper_bound(ends_, begin);
  const auto segment = static_cast<std::size_t>(found - ends_.begin());
  const std::uint64_t begin_of_segment = segment == 0 ? 0 : ends_[segment - 1];
  const std::size_t bytes = end - begin;
  Block block{.begin = begin, .bytes = std::move(memory)};
  // Memory of another size would be copied, or stay while little is wanted.
  if (block.bytes.capacity() < bytes || block.bytes.capacity() > 2 * bytes) block.bytes = {};
  block.bytes.resize(bytes);
  return load(blobs_, file_.content, segment, begin - begin_of_segment, std::move(block));
}

Task<Result<ObjectReader::Block>> ObjectReader::load(Blobs& blobs,
                                                     storage::StoredContentPtr content,
                                                     std::size_t segment, std::uint64_t within,
                                                     Block block) {
  const ObjectId object{content->segments[segment].object};
  CO_TRY_VOID(co_await blobs.read(object, within, block.bytes));
  co_return std::move(block);
}

}  // namespace coffer::objects
