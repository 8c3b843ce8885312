#include "core/content_digest.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace coffer::core {
namespace {

void require(int done) {
  if (done != 1) throw std::runtime_error("A digest cannot be made.");
}

const EVP_MD* algorithm_of(DigestKind kind) {
  return kind == DigestKind::sha1 ? EVP_sha1() : EVP_sha256();
}

}  // namespace

std::size_t digest_bytes(DigestKind kind) {
  return kind == DigestKind::sha1 ? 20 : 32;
}

class ContentDigest::Impl {
 public:
  explicit Impl(DigestKind kind) {
    require(EVP_DigestInit_ex(context_.get(), algorithm_of(kind), nullptr));
  }
  EVP_MD_CTX* context() { return context_.get(); }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

ContentDigest::ContentDigest(DigestKind kind) : impl_(std::make_unique<Impl>(kind)) {}

ContentDigest::~ContentDigest() = default;

void ContentDigest::add(std::span<const std::byte> data) {
  require(EVP_DigestUpdate(impl_->context(), data.data(), data.size()));
}

std::string ContentDigest::finish() {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  auto* const out = reinterpret_cast<unsigned char*>(digest.data());
  require(EVP_DigestFinal_ex(impl_->context(), out, &size));
  digest.resize(size);
  return digest;
}

}  // namespace coffer::core
