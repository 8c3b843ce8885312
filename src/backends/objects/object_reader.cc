#include "backends/objects/object_reader.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cstring>
#include <utility>

namespace coffer::objects {
namespace {

std::size_t copy_out(std::span<const std::byte> bytes, std::uint64_t from,
                     std::span<std::byte> out) {
  const auto rest = bytes.subspan(from);
  const std::size_t count = std::min(out.size(), rest.size());
  std::copy_n(rest.begin(), count, out.begin());
  return count;
}

}  // namespace

ObjectReader::ObjectReader(storage::NamedFile file, Blobs& blobs)
    : file_(std::move(file)), blobs_(blobs) {
  std::uint64_t end = 0;
  ends_.reserve(file_.content->segments.size());
  for (const auto& segment : file_.content->segments) ends_.push_back(end += segment.size_bytes);
}

std::optional<std::size_t> ObjectReader::read_now(std::uint64_t offset, std::span<std::byte> out) {
  const auto& content = *file_.content;
  if (offset >= content.size_bytes || out.empty()) return 0;
  if (content.segments.empty()) {
    return copy_out(std::as_bytes(std::span(content.bytes)), offset, out);
  }
  if (!block_.holds(offset)) return std::nullopt;
  return copy_out(block_.bytes, offset - block_.begin, out);
}

Task<Result<std::size_t>> ObjectReader::read(std::uint64_t offset, std::span<std::byte> out) {
  if (const auto at_once = read_now(offset, out)) co_return *at_once;
  CO_TRY_VOID(co_await move_to(offset, out.size()));
  co_return copy_out(block_.bytes, offset - block_.begin, out);
}

Task<Result<void>> ObjectReader::move_to(std::uint64_t offset, std::size_t wanted) {
  const bool is_next = !block_.bytes.empty() && offset == block_.end();
  if (ahead_ && ahead_->begin == offset) {
    auto ahead = *std::exchange(ahead_, std::nullopt);
    CO_TRY(block_, co_await ahead.block.wait());
  } else {
    ahead_.reset();
    const std::size_t least = is_next || offset == 0 ? kBlockBytes : kFirstBlockBytes;
    CO_TRY(block_, co_await load_at(offset, std::min(std::max(wanted, least), kBlockBytes)));
  }
  if (is_next) co_await read_ahead();
  co_return Result<void>();
}

Task<void> ObjectReader::read_ahead() {
  const std::uint64_t begin = block_.end();
  if (begin >= file_.content->size_bytes) co_return;
  const auto executor = co_await asio::this_coro::executor;
  ahead_.emplace(Ahead{begin, Running<Block>(executor, load_at(begin, kBlockBytes))});
}

/// No coroutine itself: what it returns does not need the reader.
Task<Result<ObjectReader::Block>> ObjectReader::load_at(std::uint64_t offset, std::size_t most) {
  const auto found = std::ranges::upper_bound(ends_, offset);
  const auto segment = static_cast<std::size_t>(found - ends_.begin());
  const std::uint64_t begin = segment == 0 ? 0 : ends_[segment - 1];
  Block block{.begin = offset, .bytes = {}};
  block.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, *found - offset)));
  return load(blobs_, file_.content, segment, offset - begin, std::move(block));
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
