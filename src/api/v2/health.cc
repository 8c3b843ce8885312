#include "api/v2/health.h"

#include "api/fixed.h"
#include "http/envelope.h"
#include "http/problem.h"

namespace coffer::api::v2 {
namespace {

http::Response healthy() {
  http::Response response = http::json_response(200, R"({"status":"ok"})");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Task<http::Response> ready(Services& services) {
  const auto answers = co_await services.accounts.is_setup_open();
  if (answers) co_return healthy();
  co_return http::problem_response(503, "The catalog does not answer.");
}

}  // namespace

void add_health(http::Router& router, Services& services) {
  router.set_error_format("/health/", &http::problem_response);
  add_fixed(router, "/health/live", &healthy);
  router.add(http::Method::get, "/health/ready",
             [&services](http::Request&) { return ready(services); });
}

}  // namespace coffer::api::v2
