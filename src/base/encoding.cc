#include "base/encoding.h"

#include <sodium.h>

#include <array>
#include <span>
#include <stdexcept>

#include "base/text.h"

namespace coffer {
namespace {

int variant_of(bool padded) {
  return padded ? sodium_base64_VARIANT_ORIGINAL : sodium_base64_VARIANT_ORIGINAL_NO_PADDING;
}

std::string encoded(std::string_view bytes, int variant) {
  std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), variant);
  text.pop_back();  // The terminating zero.
  return text;
}

std::optional<std::string> decoded(std::string_view text, int variant) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  const int done = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                     text.data(), text.size(), nullptr, &size, nullptr, variant);
  if (done != 0) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string to_base64(std::string_view bytes, bool padded) {
  return encoded(bytes, variant_of(padded));
}

std::optional<std::string> from_base64(std::string_view text, bool padded) {
  return decoded(text, variant_of(padded));
}

std::string to_base64url(std::string_view bytes) {
  return encoded(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return decoded(text, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::string to_base32(std::string_view bytes) {
  constexpr std::string_view kSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 5; count -= 5) text += kSigns[bits >> (count - 5) & 31];
  }
  if (count > 0) text += kSigns[bits << (5 - count) & 31];
  return text;
}

namespace {

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    const bool is_digit = byte >= '0' && byte <= '9';
    if (is_letter || is_digit || (c != '\0' && std::string_view("-._~").contains(c))) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
}

}  // namespace

std::string hash_hex(std::string_view text, std::size_t bytes) {
  if (bytes < crypto_generichash_BYTES_MIN || bytes > crypto_generichash_BYTES_MAX) {
    throw std::invalid_argument("no such length of a hash");
  }
  std::array<unsigned char, crypto_generichash_BYTES_MAX> hash{};
  crypto_generichash(hash.data(), bytes, reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), nullptr, 0);
  return to_hex(std::as_bytes(std::span(hash.data(), bytes)));
}

std::string to_form(const FormFields& fields) {
  std::string form;
  for (const auto& [name, value] : fields) {
    if (!form.empty()) form += '&';
    append_encoded(form, name);
    form += '=';
    append_encoded(form, value);
  }
  return form;
}

}  // namespace coffer
