#include "backends/objects/segment_sender.h"

#include <openssl/evp.h>

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

Task<Result<storage::Segment>> SegmentSender::send(std::vector<std::byte> bytes, Sha256 sha256) {
  while (under_way_.size() >= kMostUnderWay) {
    CO_TRY_VOID(co_await wait_for_oldest());
  }
  storage::Segment segment;
  segment.size_bytes = bytes.size();
  segment.sha256 = sha256;
  CO_TRY(segment.object, co_await names_.draw_object());
  auto shared = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const auto executor = co_await asio::this_coro::executor;
  const ObjectId id{segment.object};
  under_way_.emplace_back(executor, put(blobs_, id, std::move(shared), sha256));
  co_return segment;
}

Task<Result<void>> SegmentSender::put(Blobs& blobs, ObjectId id,
                                      std::shared_ptr<const std::vector<std::byte>> bytes,
                                      Sha256 hash) {
  co_return co_await blobs.put(id, *bytes, hash);
}

Task<Result<void>> SegmentSender::wait_for_oldest() {
  auto oldest = std::move(under_way_.front());
  under_way_.pop_front();
  co_return co_await oldest.wait();
}

Task<Result<void>> SegmentSender::wait_for_all() {
  Result<void> first;
  while (!under_way_.empty()) {
    auto stored = co_await wait_for_oldest();
    if (first) first = std::move(stored);
  }
  co_return first;
}

}  // namespace coffer::objects
