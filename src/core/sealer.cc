#include "core/sealer.h"

#include <sodium.h>

#include <stdexcept>
#include <vector>

namespace coffer::core {
namespace {

using Bytes = std::vector<unsigned char>;
constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
}

std::string to_base64(const Bytes& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
  text.pop_back();  // The terminating zero.
  return text;
}

/// Empty where the text is not base64.
Bytes from_base64(std::string_view text) {
  Bytes bytes(text.size());
  std::size_t size = 0;
  const int done = sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr,
                                     &size, nullptr, kVariant);
  bytes.resize(done == 0 ? size : 0);
  return bytes;
}

}  // namespace

Sealer::Key Sealer::make_key() {
  static_assert(kKeyBytes == crypto_secretbox_KEYBYTES);
  require_sodium();
  Key key;
  crypto_secretbox_keygen(key.data());
  return key;
}

Sealer::~Sealer() {
  sodium_memzero(key_.data(), key_.size());
}

std::string Sealer::seal(std::string_view secret) const {
  require_sodium();
  Bytes box(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + secret.size());
  randombytes_buf(box.data(), crypto_secretbox_NONCEBYTES);
  crypto_secretbox_easy(box.data() + crypto_secretbox_NONCEBYTES,
                        reinterpret_cast<const unsigned char*>(secret.data()), secret.size(),
                        box.data(), key_.data());
  return to_base64(box);
}

Result<std::string> Sealer::open(std::string_view sealed) const {
  constexpr std::size_t kOverhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
  const Bytes box = from_base64(sealed);
  std::string secret(box.size() < kOverhead ? 0 : box.size() - kOverhead, '\0');
  const bool is_box = box.size() >= kOverhead;
  const bool is_open =
      is_box && crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(secret.data()),
                                           box.data() + crypto_secretbox_NONCEBYTES,
                                           box.size() - crypto_secretbox_NONCEBYTES, box.data(),
                                           key_.data()) == 0;
  if (is_open) return secret;
  return fail(ErrorCode::failed,
              "A stored secret cannot be read: it was sealed with another key file.");
}

}  // namespace coffer::core
