#include "backends/objects/segment_buffer.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>
#include <stdexcept>

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

std::size_t SegmentBuffer::append(std::span<const std::byte> data) {
  const std::size_t wanted = std::min(data.size(), kSegmentBytes - bytes_.size());
  if (bytes_.size() + wanted > bytes_.capacity()) grow(bytes_.size() + wanted);
  const auto piece = data.first(std::min(wanted, most_ - std::min(most_, bytes_.size())));
  bytes_.insert(bytes_.end(), piece.begin(), piece.end());
  hash_.update(piece);
  return piece.size();
}

/// Takes room for twice the bytes, or less if that is enough to fill a segment. Without room, the
/// segment is full with what it may have at least.
void SegmentBuffer::grow(std::size_t needed) {
  const std::size_t size = std::max(needed, std::min(2 * bytes_.size(), kSegmentBytes));
  if (size <= least_) {
    bytes_.reserve(std::min(size, least_));
    return;
  }
  if (room_.bytes() == 0) room_ = blobs_.begin_hold();
  if (room_.grow(size - room_.bytes())) {
    bytes_.reserve(size);
  } else {
    most_ = std::max(least_, bytes_.size());
    bytes_.reserve(most_);
  }
}

void SegmentBuffer::set(std::vector<std::byte> bytes) {
  (void)take();
  bytes_ = std::move(bytes);
  hash_.update(bytes_);
}

FilledSegment SegmentBuffer::take() {
  most_ = kSegmentBytes;
  return {std::exchange(bytes_, {}), hash_.take(), std::exchange(room_, {})};
}

FilledSegment SegmentBuffer::copy() {
  FilledSegment copied{bytes_, hash_.take()};
  hash_.update(bytes_);
  return copied;
}

}  // namespace coffer::objects
