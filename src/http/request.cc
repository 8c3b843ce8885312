#include "http/request.h"

#include "http/syntax.h"

namespace coffer::http {

std::optional<std::string_view> Request::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const Header& header : headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    if (found) return std::nullopt;
    found = header.value;
  }
  return found;
}

}  // namespace coffer::http
