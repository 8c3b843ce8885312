#include "base/encoding.h"

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
