#include "backends/objects/object_writer.h"

#include <algorithm>
#include <utility>

#include "backends/objects/object_spool.h"

namespace coffer::objects {
ObjectWriter::ObjectWriter(storage::Names& names, Blobs& blobs, storage::NameTreeId tree,
                           Path target, storage::WriteOptions options)
    : names_(names),
      blobs_(blobs),
      tree_(tree),
      target_(std::move(target)),
      options_(std::move(options)),
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
    const auto piece = data.first(std::min(data.size(), kSegmentBytes - buffer_.size()));
    make_room(piece.size());
    buffer_.insert(buffer_.end(), piece.begin(), piece.end());
    hash_.update(piece);
    written_bytes_ += piece.size();
    data = data.subspan(piece.size());
    if (buffer_.size() == kSegmentBytes) {
      CO_TRY_VOID(co_await send_segment());
    }
  }
  co_return Result<void>();
}

/// Allocates a segment at once, and no more than the file needs.
void ObjectWriter::make_room(std::size_t bytes) {
  if (buffer_.size() + bytes <= kSmallBytes) return;
  const std::uint64_t begin = written_bytes_ - buffer_.size();
  const std::uint64_t size = options_.size_bytes.value_or(UINT64_MAX);
  buffer_.reserve(std::min<std::uint64_t>(size - std::min(begin, size), kSegmentBytes));
}

Task<Result<void>> ObjectWriter::send_segment() {
  if (content_.segments.empty() && !options_.out_of_sight) {
    // What cannot be published need not be sent.
    CO_TRY_VOID(co_await names_.check(tree_, target_, options_));
  }
  CO_TRY(auto segment, co_await sender_.send(std::exchange(buffer_, {}), hash_.take()));
  content_.segments.push_back(std::move(segment));
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
  buffer_ = std::move(bytes);
  co_return Result<void>();
}

Task<Result<void>> ObjectWriter::finish() {
  if (state_ && !finished_) state_ = co_await complete();
  co_return state_;
}

Task<Result<void>> ObjectWriter::complete() {
  if (written_bytes_ > kSmallBytes) {
    if (!buffer_.empty()) {
      CO_TRY_VOID(co_await send_segment());
    }
  } else {
    content_.bytes.assign(reinterpret_cast<const char*>(buffer_.data()), buffer_.size());
  }
  buffer_ = {};
  CO_TRY_VOID(co_await sender_.wait_for_all());
  CO_TRY(content_.id, co_await names_.draw_content());
  content_.size_bytes = written_bytes_;
  created_at_ = now();
  finished_ = std::make_shared<const storage::StoredContent>(std::move(content_));
  co_return Result<void>();
}

Task<void> ObjectWriter::abandon() {
  (void)co_await sender_.wait_for_all();  // Nobody needs it any more.
  if (state_) state_ = fail(ErrorCode::failed, "The upload was given up.");
}

storage::NewFile ObjectWriter::file() const {
  return {target_,   options_, created_at_, options_.modified_at.value_or(created_at_),
          finished_, upload_};
}

Task<storage::ItemIdentity> ObjectWriter::identity() {
  if (!finished_) co_return storage::ItemIdentity();
  co_return storage::ItemIdentity{static_cast<std::uint64_t>(finished_->id.value), created_at_};
}

Task<std::optional<storage::FileVersion>> ObjectWriter::shown_version() {
  if (!is_published_) co_return std::nullopt;
  co_return storage::FileVersion{finished_->size_bytes, file().modified_at,
                                 static_cast<std::uint64_t>(finished_->id.value)};
}

}  // namespace coffer::objects
