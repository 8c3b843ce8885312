#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "http/serve_content.h"

namespace coffer::http {
namespace {

/// Extension without the dot, in lower case and sorted, and its media type.
constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
#include "http/media_types.inc"
};
static_assert(std::ranges::is_sorted(kTypes, {},
                                     &std::pair<std::string_view, std::string_view>::first));

/// True for types that a page of the same origin could run as a script or apply as a style,
/// although they are served with nosniff (WHATWG MIME Sniffing, "JavaScript MIME type"; WHATWG
/// Fetch, nosniff).
bool is_code(std::string_view type) {
  return type.contains("javascript") || type.contains("ecmascript") || type.contains("jscript") ||
         type.contains("livescript") || type == "text/css";
}

}  // namespace

std::string_view media_type_of(std::string_view file_name) {
  constexpr std::size_t kLongest = 32;
  // From the left, so that the longest extension decides: `.tar.gz` before `.gz`.
  for (auto dot = file_name.find('.', 1); dot < file_name.size();
       dot = file_name.find('.', dot + 1)) {
    if (file_name.size() - dot > kLongest) continue;
    const std::string extension = to_lower(file_name.substr(dot + 1));
    const auto known = std::ranges::lower_bound(kTypes, std::string_view(extension), {},
                                                [](const auto& type) { return type.first; });
    if (known == std::end(kTypes) || known->first != extension) continue;
    return is_code(known->second) ? "text/plain" : known->second;
  }
  return "application/octet-stream";
}

}  // namespace coffer::http
