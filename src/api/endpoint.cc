#include "api/endpoint.h"

namespace coffer::api {

std::vector<std::string_view> captured_names(std::string_view pattern) {
  std::vector<std::string_view> names;
  for (std::size_t open = 0; (open = pattern.find('{', open)) != std::string_view::npos; ++open) {
    names.push_back(pattern.substr(open + 1, pattern.find('}', open) - open - 1));
  }
  return names;
}

}  // namespace coffer::api
