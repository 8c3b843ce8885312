#include "backends/objects/object_writer.h"

#include <openssl/evp.h>

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <new>
#include <stdexcept>
#include <utility>

namespace coffer::objects {
namespace {

void need(int done) {
  if (done != 1) throw std::runtime_error("SHA-256 cannot be computed.");
}

}  // namespace

void Hash::Closing::operator()(EVP_MD_CTX* context) const {
  EVP_MD_CTX_free(context);
}

Hash::Hash() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  begin();
}

void Hash::begin() {
  need(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Hash::update(std::span<const std::byte> bytes) {
  need(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

Sha256 Hash::take() {
  Sha256 hash{};
  need(EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(hash.data()), nullptr));
  begin();
  return hash;
}

ObjectWriter::ObjectWriter(storage::Names& names, Blobs& blobs, storage::NameTreeId tree,
                           Path target, storage::WriteOptions options)
    : names_(names),
      blobs_(blobs),
      tree_(tree),
      target_(std::move(target)),
      options_(std::move(options)) {}

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
  if (under_way_.size() >= kMostUnderWay) {
    CO_TRY_VOID(co_await wait_for_oldest());
  }
  CO_TRY(auto object, co_await names_.draw_object());
  const ObjectId id{object};
  content_.segments.push_back({std::move(object), buffer_.size(), hash_.take()});
  auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(buffer_));
  buffer_ = {};
  const auto executor = co_await asio::this_coro::executor;
  const Sha256& hash = content_.segments.back().sha256;
  under_way_.emplace_back(executor, put(blobs_, id, std::move(bytes), hash));
  co_return Result<void>();
}

Task<Result<void>> ObjectWriter::put(Blobs& blobs, ObjectId id,
                                     std::shared_ptr<const std::vector<std::byte>> bytes,
                                     Sha256 hash) {
  co_return co_await blobs.put(id, *bytes, hash);
}

Task<Result<void>> ObjectWriter::wait_for_oldest() {
  auto oldest = std::move(under_way_.front());
  under_way_.pop_front();
  co_return co_await oldest.wait();
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
  while (!under_way_.empty()) {
    CO_TRY_VOID(co_await wait_for_oldest());
  }
  CO_TRY(content_.id, co_await names_.draw_content());
  content_.size_bytes = written_bytes_;
  created_at_ = now();
  finished_ = std::make_shared<const storage::StoredContent>(std::move(content_));
  co_return Result<void>();
}

Task<void> ObjectWriter::abandon() {
  while (!under_way_.empty()) (void)co_await wait_for_oldest();  // Nobody needs it any more.
  if (state_) state_ = fail(ErrorCode::failed, "The upload was given up.");
}

storage::NewFile ObjectWriter::file() const {
  return {target_, options_, created_at_, options_.modified_at.value_or(created_at_), finished_};
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
