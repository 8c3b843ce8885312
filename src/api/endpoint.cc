#include "api/endpoint.h"

namespace coffer::api {

std::vector<std::string_view> captured_names(std::string_view pattern) {
  std::vector<std::string_view> names;
  for (std::size_t open = 0; (open = pattern.find('{', open)) != std::string_view::npos; ++open) {
    names.push_back(pattern.substr(open + 1, pattern.find('}', open) - open - 1));
  }
  return names;
}

Task<Result<core::Principal>> authenticate(Services& services, const http::Request& request) {
  const auto secret = request.header("X-API-Key");
  if (!secret || secret->empty()) {
    co_return fail(ErrorCode::unauthenticated,
                   "An API key is needed: send it in the X-API-Key header.");
  }
  co_return co_await services.authenticator.by_key(*secret);
}

}  // namespace coffer::api
