#include "base/natural_order.h"

#include <utf8proc.h>

#include <algorithm>

namespace coffer {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A number's key is a `0`, the count of its significant digits, then these digits: longer numbers
/// come after shorter ones, equal lengths compare by digit, and digits stay before letters.
void append_number(std::string& key, std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  key += '0';
  // A name has at most 255 bytes, yet stay ordered for any length.
  for (std::size_t rest = digits.size();; rest -= 255) {
    key += static_cast<char>(std::min<std::size_t>(rest, 255));
    if (rest < 255) break;
  }
  key += digits;
}

std::size_t append_folded(std::string& key, std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    key += first >= 'A' && first <= 'Z' ? static_cast<char>(first + 32) : text[0];
    return 1;
  }
  utf8proc_int32_t character = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (length <= 0) {
    key += text[0];
    return 1;
  }
  utf8proc_uint8_t folded[4];
  const auto written = utf8proc_encode_char(utf8proc_tolower(character), folded);
  key.append(reinterpret_cast<const char*>(folded), static_cast<std::size_t>(written));
  return static_cast<std::size_t>(length);
}

}  // namespace

std::string natural_key(std::string_view name) {
  std::string key;
  key.reserve(name.size() + 4);
  for (std::size_t at = 0; at < name.size();) {
    if (!is_digit(name[at])) {
      at += append_folded(key, name.substr(at));
      continue;
    }
    const auto end = std::find_if_not(name.begin() + at, name.end(), is_digit) - name.begin();
    append_number(key, name.substr(at, end - at));
    at = end;
  }
  return key;
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::string key_a = natural_key(a);
  const std::string key_b = natural_key(b);
  return key_a != key_b ? key_a < key_b : a < b;
}

}  // namespace coffer
