#include <string>
#include <string_view>

#include "http/serve_content.h"

namespace coffer::http {
namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '%';
}

/// `attr-char` of RFC 8187, section 3.2.1.
bool is_attribute_char(char c) {
  const bool alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return alphanumeric || std::string_view("!#$&+-.^_`|~").find(c) != std::string_view::npos;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

std::string attachment_disposition(std::string_view file_name) {
  std::string out = "attachment; filename=\"";
  for (const char c : file_name) {
    // One stand-in for a character, not for each of its bytes.
    if ((c & 0xC0) == 0x80) continue;
    out += is_plain(c) ? c : '_';
  }
  out += "\"; filename*=UTF-8''";
  for (const char c : file_name) {
    if (is_attribute_char(c)) {
      out += c;
    } else {
      append_escaped(out, c);
    }
  }
  return out;
}

}  // namespace coffer::http
