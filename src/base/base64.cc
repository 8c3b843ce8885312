#include "base/base64.h"

#include <sodium.h>

namespace coffer {
namespace {

int variant_of(bool padded) {
  return padded ? sodium_base64_VARIANT_ORIGINAL : sodium_base64_VARIANT_ORIGINAL_NO_PADDING;
}

}  // namespace

std::string to_base64(std::string_view bytes, bool padded) {
  const int variant = variant_of(padded);
  std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), variant);
  text.pop_back();  // The terminating zero.
  return text;
}

std::optional<std::string> from_base64(std::string_view text, bool padded) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  const int done =
      sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, nullptr, variant_of(padded));
  if (done != 0) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace coffer
