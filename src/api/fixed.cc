#include "api/fixed.h"

#include <memory>
#include <utility>

namespace coffer::api {
namespace {

Task<http::Response> serve_fixed(std::shared_ptr<const http::Response> response) {
  co_return *response;
}

}  // namespace

void add_fixed(http::Router& router, std::string_view path, http::Response response) {
  auto shared = std::make_shared<const http::Response>(std::move(response));
  router.add(http::Method::get, path,
             [shared = std::move(shared)](http::Request&) { return serve_fixed(shared); });
}

http::Response page_response(std::string html) {
  http::Response response;
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'"},
  };
  response.body = std::move(html);
  return response;
}

}  // namespace coffer::api
