#include "moving/file_copy.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/objects/segment_buffer.h"

namespace coffer::moving {
namespace {

constexpr std::size_t kBlockBytes = 1 << 20;
/// The number of times that a file is copied which changes meanwhile.
constexpr int kTries = 5;

struct Content {
  std::uint64_t size_bytes = 0;
  objects::Sha256 hash{};

  bool operator==(const Content&) const = default;
};

/// Reads a file in order, block by block.
class BlockReader {
 public:
  BlockReader(storage::Reader& reader, const std::function<bool()>& must_stop)
      : reader_(reader),
        must_stop_(must_stop),
        block_(std::clamp<std::uint64_t>(reader.entry().size_bytes, 1, kBlockBytes)) {}

  /// Returns up to `most` further bytes, which stay until the next call; none at the end.
  Task<Result<std::span<const std::byte>>> next(std::uint64_t most = kBlockBytes) {
    if (must_stop_()) co_return move_stopped();
    const auto room = std::span(block_).first(std::min<std::uint64_t>(block_.size(), most));
    CO_TRY(const auto count, co_await reader_.read(content_.size_bytes, room));
    const auto bytes = std::span<const std::byte>(room).first(count);
    content_.size_bytes += count;
    hash_.update(bytes);
    co_return bytes;
  }
  /// Returns the hash of what was read since the last call.
  objects::Sha256 take_hash() { return hash_.take(); }
  /// Returns what was read, all in all, if `take_hash` was never called.
  Content content() {
    content_.hash = hash_.take();
    return content_;
  }

 private:
  storage::Reader& reader_;
  const std::function<bool()>& must_stop_;
  std::vector<std::byte> block_;
  objects::Hash hash_;
  Content content_;
};

Task<Result<Content>> content_of(storage::Backend& backend, const Path& path,
                                 const std::function<bool()>& must_stop) {
  CO_TRY(const auto reader, co_await backend.open(path));
  BlockReader blocks(*reader, must_stop);
  for (;;) {
    CO_TRY(const auto bytes, co_await blocks.next());
    if (bytes.empty()) co_return blocks.content();
  }
}

class FileCopy {
 public:
  FileCopy(CopyEnds& ends, const Path& file, const Path& copy,
           const std::function<void(std::int64_t)>& counted)
      : ends_(ends), file_(file), copy_(copy), counted_(counted) {}

  /// Returns nullopt if the source changed meanwhile. Then there is no copy.
  Task<Result<std::optional<CheckedCopy>>> run() {
    CO_TRY(const auto reader, co_await ends_.source.open(file_));
    CO_TRY(const Content sent, co_await send(*reader));
    CO_TRY(const Content stored, co_await content_of(ends_.target, copy_, ends_.must_stop));
    if (stored != sent) {
      co_return fail(ErrorCode::failed, "What was stored was read back with another content.");
    }
    const auto now = co_await ends_.source.stat(file_);
    const bool is_same = now && version_of(*now) == version_of(reader->entry()) &&
                         sent.size_bytes == now->size_bytes;
    if (!is_same) {
      counted_(-static_cast<std::int64_t>(sent.size_bytes));
      CO_TRY([[maybe_unused]] const auto removed, co_await ends_.target.remove(copy_));
      co_return std::nullopt;
    }
    CO_TRY(auto entry, co_await ends_.target.stat(copy_));
    co_return CheckedCopy{reader->entry(), std::move(entry)};
  }

 private:
  Task<Result<Content>> send(storage::Reader& reader) {
    const storage::Entry& source = reader.entry();
    storage::WriteOptions options;
    options.if_taken = storage::IfTaken::refuse;
    options.modified_at = source.modified_at;
    options.created_at = source.created_at;
    options.size_bytes = source.size_bytes;
    CO_TRY(auto writer, co_await ends_.target.create(copy_, std::move(options)));
    BlockReader blocks(reader, ends_.must_stop);
    for (;;) {
      CO_TRY(const auto bytes, co_await blocks.next());
      if (bytes.empty()) break;
      CO_TRY_VOID(co_await writer->write(bytes));
      counted_(static_cast<std::int64_t>(bytes.size()));
    }
    const std::span<const std::unique_ptr<storage::Writer>> writers(&writer, 1);
    CO_TRY([[maybe_unused]] const auto published,
           co_await ends_.target.publish(writers, UINT64_MAX));
    co_return blocks.content();
  }

  CopyEnds& ends_;
  const Path& file_;
  const Path& copy_;
  const std::function<void(std::int64_t)>& counted_;
};

/// Returns true if the next bytes are those that were hashed.
Task<Result<bool>> has_segment(BlockReader& blocks, const storage::Segment& segment) {
  for (std::uint64_t left = segment.size_bytes; left > 0;) {
    CO_TRY(const auto bytes, co_await blocks.next(left));
    if (bytes.empty()) co_return false;
    left -= bytes.size();
  }
  co_return blocks.take_hash() == segment.sha256;
}

Task<Result<bool>> has_bytes(BlockReader& blocks, std::string_view stored) {
  auto left = std::as_bytes(std::span(stored));
  while (!left.empty()) {
    CO_TRY(const auto bytes, co_await blocks.next(left.size()));
    if (bytes.empty() || !std::ranges::equal(bytes, left.first(bytes.size()))) co_return false;
    left = left.subspan(bytes.size());
  }
  co_return true;
}

}  // namespace

std::unexpected<Error> move_stopped() {
  return fail(ErrorCode::conflict, "The move was stopped.");
}

Task<Result<CheckedCopy>> copy_checked(CopyEnds ends, Path file, Path copy,
                                       std::function<void(std::int64_t bytes)> counted) {
  for (int i = 0; i < kTries; ++i) {
    FileCopy one(ends, file, copy, counted);
    CO_TRY(auto copied, co_await one.run());
    if (copied) co_return *std::move(copied);
  }
  co_return fail(ErrorCode::conflict, "The file is being changed without end.");
}

Task<Result<bool>> has_content(storage::Backend& disk, storage::Names& names,
                               storage::NameTreeId tree, Path file,
                               std::function<bool()> must_stop) {
  CO_TRY(const auto reader, co_await disk.open(file));
  CO_TRY(const auto named, co_await names.open(tree, file));
  const storage::StoredContent& content = *named.content;
  if (reader->entry().size_bytes != content.size_bytes) co_return false;
  BlockReader blocks(*reader, must_stop);
  if (!content.is_in_segments()) co_return co_await has_bytes(blocks, content.bytes);
  for (const storage::Segment& segment : content.segments) {
    CO_TRY(const bool is_same, co_await has_segment(blocks, segment));
    if (!is_same) co_return false;
  }
  co_return true;
}

}  // namespace coffer::moving
