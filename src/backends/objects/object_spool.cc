#include "backends/objects/object_spool.h"

#include <algorithm>
#include <utility>

namespace coffer::objects {
namespace {

using storage::UploadSegment;

/// Noted segments that are looked up at once, for reading.
constexpr std::size_t kFoundAtOnce = 256;

std::unexpected<Error> bytes_are_gone() {
  return fail(ErrorCode::not_found, "The part of the content that was received is gone.");
}

}  // namespace

ObjectSpoolFile::ObjectSpoolFile(UploadStore store, storage::UploadTurn turn)
    : store_(store),
      turn_(std::move(turn)),
      sender_(store.names, store.blobs),
      buffer_(store.blobs, kShortBytes) {}

ObjectSpoolFile::~ObjectSpoolFile() {
  discard_from(0);
}

Task<Result<void>> ObjectSpoolFile::move_to(std::uint64_t size_bytes) {
  std::vector<UploadSegment> last;
  if (size_bytes > 0) {
    CO_TRY(last, co_await store_.segments.find(turn_.upload, size_bytes - 1, 2));
    if (last.empty() || last[0].end_byte() < size_bytes) co_return bytes_are_gone();
  }
  size_bytes_ = sent_bytes_ = size_bytes;
  buffer_.set({});
  rest_.reset();
  has_appended_ = false;
  is_noted_ = last.size() == 1 && last[0].end_byte() == size_bytes;
  const bool is_kept = size_bytes == 0 || (last[0].end_byte() == size_bytes &&
                                           last[0].segment.size_bytes >= kShortBytes);
  if (is_kept) co_return Result<void>();
  sent_bytes_ = last[0].at_byte;
  rest_ = Prefix{ObjectId{last[0].segment.object}, size_bytes - sent_bytes_};
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::append(std::span<const std::byte> data) {
  if (state_) state_ = co_await append_all(data);
  if (state_) size_bytes_ += data.size();
  co_return state_;
}

Task<Result<void>> ObjectSpoolFile::append_all(std::span<const std::byte> data) {
  if (data.empty()) co_return Result<void>();
  CO_TRY_VOID(co_await load_rest());
  has_appended_ = true;
  is_noted_ = false;
  while (!data.empty()) {
    data = data.subspan(buffer_.append(data));
    if (buffer_.is_full()) {
      CO_TRY_VOID(co_await send_segment());
    }
  }
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::load_rest() {
  if (!rest_) co_return Result<void>();
  std::vector<std::byte> bytes(rest_->size_bytes);
  CO_TRY_VOID(co_await store_.blobs.read(rest_->object, 0, bytes));
  rest_.reset();
  buffer_.set(std::move(bytes));
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::send_segment() {
  CO_TRY(auto segment, co_await sender_.send(buffer_.take()));
  unnoted_.push_back({sent_bytes_, std::move(segment)});
  sent_bytes_ = unnoted_.back().end_byte();
  co_return Result<void>();
}

/// Keeps the bytes in memory, since they are stored anew with those that come next.
Task<Result<void>> ObjectSpoolFile::send_short_segment() {
  CO_TRY(auto segment, co_await sender_.send(buffer_.copy()));
  unnoted_.push_back({sent_bytes_, std::move(segment)});
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::sync() {
  if (state_ && has_appended_) state_ = co_await note();
  co_return state_;
}

Task<Result<void>> ObjectSpoolFile::note() {
  if (buffer_.size() >= kShortBytes) {
    CO_TRY_VOID(co_await send_segment());
  } else if (!buffer_.is_empty()) {
    CO_TRY_VOID(co_await send_short_segment());
  }
  CO_TRY_VOID(co_await sender_.wait_for_all());
  has_appended_ = false;
  if (unnoted_.empty()) co_return Result<void>();  // All was cut again.
  CO_TRY_VOID(co_await store_.segments.replace(turn_, unnoted_));
  unnoted_.clear();
  found_.clear();
  is_noted_ = true;
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::truncate(std::uint64_t size_bytes) {
  if (size_bytes > size_bytes_) co_return bytes_are_gone();
  if (state_ && size_bytes < size_bytes_) state_ = co_await cut(size_bytes);
  co_return state_;
}

Task<Result<void>> ObjectSpoolFile::cut(std::uint64_t size_bytes) {
  is_noted_ = false;
  if (size_bytes < sent_bytes_) co_return co_await cut_sent(size_bytes);
  size_bytes_ = size_bytes;
  const std::uint64_t left = size_bytes - sent_bytes_;
  if (rest_) {
    rest_->size_bytes = left;
  } else {
    auto bytes = buffer_.take_bytes();
    bytes.resize(left);
    buffer_.set(std::move(bytes));
  }
  co_return Result<void>();
}

Task<Result<void>> ObjectSpoolFile::cut_sent(std::uint64_t size_bytes) {
  CO_TRY_VOID(co_await sender_.wait_for_all());
  discard_from(size_bytes);
  if (unnoted_.empty()) co_return co_await move_to(size_bytes);
  const UploadSegment& last = unnoted_.back();
  size_bytes_ = sent_bytes_ = size_bytes;
  rest_.reset();
  buffer_.set({});
  if (last.end_byte() == size_bytes) co_return Result<void>();
  std::vector<std::byte> bytes(size_bytes - last.at_byte);
  const ObjectId object{last.segment.object};
  CO_TRY_VOID(co_await store_.blobs.read(object, 0, bytes));
  buffer_.set(std::move(bytes));
  sent_bytes_ = last.at_byte;
  discard_from(sent_bytes_);
  co_return Result<void>();
}

/// Gives up the objects of segments that are not noted and begin there or later.
void ObjectSpoolFile::discard_from(std::uint64_t at_byte) {
  std::vector<std::string> objects;
  while (!unnoted_.empty() && unnoted_.back().at_byte >= at_byte) {
    objects.push_back(std::move(unnoted_.back().segment.object));
    unnoted_.pop_back();
  }
  if (!objects.empty()) store_.names.discard(std::move(objects));
}

Task<Result<std::size_t>> ObjectSpoolFile::read(std::uint64_t offset, std::span<std::byte> out) {
  if (offset >= size_bytes_ || out.empty()) co_return 0;
  if (offset >= sent_bytes_) {
    CO_TRY_VOID(co_await load_rest());
    const auto rest = std::span(buffer_.bytes()).subspan(offset - sent_bytes_);
    const std::size_t count = std::min(out.size(), rest.size());
    std::copy_n(rest.begin(), count, out.begin());
    co_return count;
  }
  CO_TRY_VOID(co_await sender_.wait_for_all());
  CO_TRY(const auto segment, co_await segment_at(offset));
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), segment.end_byte() - offset));
  const ObjectId object{segment.segment.object};
  CO_TRY_VOID(co_await store_.blobs.read(object, offset - segment.at_byte, out.first(count)));
  co_return count;
}

Task<Result<UploadSegment>> ObjectSpoolFile::segment_at(std::uint64_t offset) {
  const auto has_it = [&](const UploadSegment& one) {
    return offset >= one.at_byte && offset < one.end_byte();
  };
  const auto sent = std::ranges::find_if(unnoted_, has_it);
  if (sent != unnoted_.end()) co_return *sent;
  auto known = std::ranges::find_if(found_, has_it);
  if (known == found_.end()) {
    CO_TRY(found_, co_await store_.segments.find(turn_.upload, offset, kFoundAtOnce));
    if (found_.empty()) co_return bytes_are_gone();
    known = found_.begin();
  }
  co_return *known;
}

Task<Result<std::unique_ptr<storage::SpoolFile>>> ObjectSpool::open(storage::UploadTurn turn,
                                                                    std::uint64_t size_bytes,
                                                                    Pool& /*pool*/) {
  auto file = std::make_unique<ObjectSpoolFile>(store_, std::move(turn));
  CO_TRY_VOID(co_await file->move_to(size_bytes));
  co_return file;
}

Task<Result<void>> ObjectSpool::remove(std::string name, Pool& /*pool*/) {
  UploadId upload{std::move(name)};
  co_return co_await store_.segments.remove(std::move(upload));
}

Task<Result<std::vector<std::string>>> ObjectSpool::names(Pool& /*pool*/) {
  CO_TRY(auto uploads, co_await store_.segments.uploads());
  std::vector<std::string> all;
  for (UploadId& upload : uploads) all.push_back(std::move(upload.value));
  co_return all;
}

Task<Result<std::uint64_t>> ObjectSpool::free_bytes(Pool& /*pool*/) {
  co_return std::uint64_t{256} << 30;
}

}  // namespace coffer::objects
