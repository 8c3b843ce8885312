#include "backends/objects/object_writer.h"

#include <algorithm>
#include <utility>

#include "backends/objects/object_spool.h"

namespace coffer::objects {
namespace {

/// How many bytes a segment has at least, where memory is short, behind so many others: a file has
/// at most some ten thousand segments more than it needs.
std::size_t least_bytes(std::size_t segments) {
  constexpr std::size_t kMostSmallest = 1'000;
  constexpr std::size_t kMostShort = 10'000;
  if (segments < kMostSmallest) return 256 << 10;
  return segments < kMostShort ? 1 << 20 : SegmentBuffer::kSegmentBytes;
}

}  // namespace

ObjectWriter::ObjectWriter(storage::Names& names, Blobs& blobs, storage::NameTreeId tree,
                           Path target, storage::WriteOptions options)
    : names_(names),
      blobs_(blobs),
      tree_(tree),
      target_(std::move(target)),
      options_(std::move(options)),
      buffer_(blobs, least_bytes(0)),
      sender_(names, blobs) {}

ObjectWriter::~ObjectWriter() {
  const auto& segments = finished_ ? finished_->segments : content_.segments;
  if (is_published_ || segments.empty()) return;
  std::vector<std::string> objects;
  for (const auto& segment : segments) objects.push_back(segment.object);
  names_.discard(std::move(objects));
}

Task<Result<void>> ObjectWriter::write(std::span<const std::byte> data) {
  if (state_) state_ = co_await append(data);
  co_return state_;
}

Task<Result<void>> ObjectWriter::append(std::span<const std::byte> data) {
  while (!data.empty()) {
    const std::size_t count = buffer_.append(data);
    written_bytes_ += count;
    data = data.subspan(count);
    if (buffer_.is_full()) {
      CO_TRY_VOID(co_await send_segment());
    }
  }
  co_return Result<void>();
}

Task<Result<void>> ObjectWriter::send_segment() {
  if (content_.segments.empty() && !options_.out_of_sight) {
    // What cannot be published need not be sent.
    CO_TRY_VOID(co_await names_.check(tree_, target_, options_));
  }
  CO_TRY(auto segment, co_await sender_.send(buffer_.take()));
  content_.segments.push_back(std::move(segment));
  buffer_.set_least(least_bytes(content_.segments.size()));
  co_return Result<void>();
}

Task<Result<bool>> ObjectWriter::adopt(storage::SpoolFile& file) {
  auto* const received = dynamic_cast<ObjectSpoolFile*>(&file);
  if (received == nullptr || !received->is_in(names_, blobs_)) co_return false;
  if (!state_ || written_bytes_ > 0 || !received->is_noted()) co_return false;
  if (file.size_bytes() <= kSmallBytes) {
    CO_TRY_VOID(co_await copy_small(file));
  }
  written_bytes_ = file.size_bytes();
  upload_ = received->turn();
  co_return true;
}

Task<Result<void>> ObjectWriter::copy_small(storage::SpoolFile& file) {
  std::vector<std::byte> bytes(file.size_bytes());
  for (std::size_t filled = 0; filled < bytes.size();) {
    CO_TRY(const auto count, co_await file.read(filled, std::span(bytes).subspan(filled)));
    if (count == 0) co_return fail(ErrorCode::failed, "The bytes of the upload are damaged.");
    filled += count;
  }
  buffer_.set(std::move(bytes));
  co_return Result<void>();
}

Task<Result<void>> ObjectWriter::finish() {
  if (state_ && !finished_) state_ = co_await complete();
  co_return state_;
}

Task<Result<void>> ObjectWriter::complete() {
  if (written_bytes_ > kSmallBytes) {
    if (!buffer_.is_empty()) {
      CO_TRY_VOID(co_await send_segment());
    }
  } else {
    const auto& bytes = buffer_.bytes();
    content_.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  (void)buffer_.take();
  CO_TRY_VOID(co_await sender_.wait_for_all());
  CO_TRY(content_.id, co_await names_.draw_content());
  content_.size_bytes = written_bytes_;
  completed_at_ = now();
  finished_ = std::make_shared<const storage::StoredContent>(std::move(content_));
  co_return Result<void>();
}

Task<void> ObjectWriter::abandon() {
  (void)co_await sender_.wait_for_all();  // Nobody needs it any more.
  if (state_) state_ = fail(ErrorCode::failed, "The upload was given up.");
}

storage::NewFile ObjectWriter::file() const {
  return {target_,
          options_,
          options_.created_at.value_or(completed_at_),
          options_.modified_at.value_or(completed_at_),
          finished_,
          upload_};
}

Task<storage::ItemIdentity> ObjectWriter::identity() {
  if (!finished_) co_return storage::ItemIdentity();
  co_return storage::ItemIdentity{static_cast<std::uint64_t>(finished_->id.value),
                                  file().created_at};
}

Task<std::optional<storage::FileVersion>> ObjectWriter::shown_version() {
  if (!is_published_) co_return std::nullopt;
  co_return storage::FileVersion{finished_->size_bytes, file().modified_at,
                                 static_cast<std::uint64_t>(finished_->id.value)};
}

}  // namespace coffer::objects
