#include <string>
#include <string_view>

#include "http/query.h"
#include "http/serve_content.h"

namespace coffer::http {
namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '%';
}

/// The marks among `attr-char` of RFC 8187, section 3.2.1.
constexpr std::string_view kAttributeMarks = "!#$&+-.^_`|~";

std::string disposition(std::string_view type, std::string_view file_name) {
  std::string out(type);
  out += "; filename=\"";
  for (const char c : file_name) {
    // One stand-in for a character, not for each of its bytes.
    if ((c & 0xC0) == 0x80) continue;
    out += is_plain(c) ? c : '_';
  }
  out += "\"; filename*=UTF-8''";
  out += percent_encode(file_name, kAttributeMarks);
  return out;
}

}  // namespace

std::string attachment_disposition(std::string_view file_name) {
  return disposition("attachment", file_name);
}

std::string inline_disposition(std::string_view file_name) {
  return disposition("inline", file_name);
}

}  // namespace coffer::http
