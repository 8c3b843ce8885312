#include "backends/remote/server_names.h"

#include <fmt/format.h>

namespace coffer::remote {
namespace {

/// Returns the first character that the set lacks.
std::string_view lacking_in(CharacterSet set, std::string_view text) {
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
    const std::string_view character = text.substr(0, size);
    if (!from_utf8(set, character)) return character;
    text.remove_prefix(size);
  }
  return {};
}

}  // namespace

std::optional<std::string> from_server(CharacterSet set, std::string_view bytes) {
  if (set == CharacterSet::utf_8) return std::string(bytes);
  auto text = to_utf8(set, bytes);
  if (text && from_utf8(set, *text) != bytes) text.reset();
  return text;
}

Result<std::string> on_server(CharacterSet set, const ServerPath& path) {
  if (set == CharacterSet::utf_8) return path;
  auto bytes = from_utf8(set, path);
  if (bytes) return *std::move(bytes);
  return fail(ErrorCode::invalid, fmt::format("The server's character set, {}, has no “{}”.",
                                              word_of(set), lacking_in(set, path)));
}

}  // namespace coffer::remote
