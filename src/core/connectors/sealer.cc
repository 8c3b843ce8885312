#include "core/connectors/sealer.h"

#include <sodium.h>

#include <stdexcept>

#include "base/encoding.h"
#include "base/text.h"

namespace coffer::core {
namespace {

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
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

std::string Sealer::fingerprint() const {
  if (!has_key_) throw std::logic_error("there is no key to take the fingerprint of");
  require_sodium();
  constexpr std::string_view kPurpose = "coffer: fingerprint of secret.key";
  std::array<std::byte, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(), bytes_of(kPurpose),
                     kPurpose.size(), key_.data(), key_.size());
  return to_hex(hash);
}

Sealer::Tag Sealer::tag(std::string_view purpose, std::string_view text) const {
  if (!has_key_) throw std::logic_error("nothing can be tagged without a key");
  require_sodium();
  std::string whole("coffer: ");
  whole.append(purpose).append(1, '\0').append(text);
  Tag tag{};
  crypto_generichash(reinterpret_cast<unsigned char*>(tag.data()), tag.size(),
                     bytes_of(std::string_view(whole)), whole.size(), key_.data(), key_.size());
  return tag;
}

std::string Sealer::seal(std::string_view secret) const {
  if (!has_key_) throw std::logic_error("a secret cannot be sealed without a key");
  require_sodium();
  std::string box(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + secret.size(), '\0');
  unsigned char* const nonce = bytes_of(box);
  randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
  crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, bytes_of(secret), secret.size(), nonce,
                        key_.data());
  return to_base64(box);
}

Result<std::string> Sealer::open(std::string_view sealed) const {
  if (!has_key_) {
    return fail(ErrorCode::failed,
                "A stored secret cannot be read: the key file that it was sealed with is missing.");
  }
  constexpr std::size_t kOverhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
  const std::string box = from_base64(sealed).value_or("");
  const bool is_box = box.size() >= kOverhead;
  std::string secret(is_box ? box.size() - kOverhead : 0, '\0');
  const unsigned char* const nonce = bytes_of(std::string_view(box));
  const bool is_open =
      is_box &&
      crypto_secretbox_open_easy(bytes_of(secret), nonce + crypto_secretbox_NONCEBYTES,
                                 box.size() - crypto_secretbox_NONCEBYTES, nonce, key_.data()) == 0;
  if (is_open) return secret;
  return fail(ErrorCode::failed,
              "A stored secret cannot be read: it was sealed with another key file.");
}

}  // namespace coffer::core
