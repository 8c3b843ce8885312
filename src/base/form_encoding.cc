#include "base/form_encoding.h"

namespace coffer {
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
