#include "app/printable.h"

#include <fmt/format.h>

#include "base/text.h"

namespace coffer::app {

std::string printable(std::string_view text) {
  std::string out;
  const bool utf8 = is_utf8(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte != 0x7F && (byte < 0x80 || utf8);
    out += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

}  // namespace coffer::app
