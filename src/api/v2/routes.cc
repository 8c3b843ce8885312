#include "api/v2/routes.h"

#include <string>
#include <utility>

#include "api/fixed.h"
#include "core/readiness.h"
#include "http/envelope.h"
#include "http/problem.h"

namespace coffer::api::v2 {

// The resources, each in a source of its name, in the order of the description.
std::vector<Route> account_routes();
std::vector<Route> admin_account_routes();
std::vector<Route> admin_audit_routes();
std::vector<Route> admin_connector_routes();
std::vector<Route> admin_folder_routes();
std::vector<Route> admin_group_routes();
std::vector<Route> admin_identity_routes();
std::vector<Route> admin_security_routes();
std::vector<Route> admin_session_routes();
std::vector<Route> admin_setting_routes();
std::vector<Route> admin_share_routes();
std::vector<Route> admin_sign_in_routes();
std::vector<Route> archive_routes();
std::vector<Route> selection_routes();
std::vector<Route> bin_routes();
std::vector<Route> connector_login_routes();
std::vector<Route> connector_routes();
std::vector<Route> content_routes();
std::vector<Route> event_routes();
std::vector<Route> file_routes();
std::vector<Route> guest_routes();
std::vector<Route> guest_upload_routes();
std::vector<Route> key_routes();
std::vector<Route> link_routes();
std::vector<Route> person_share_routes();
std::vector<Route> lock_routes();
std::vector<Route> passkey_routes();
std::vector<Route> provider_routes();
std::vector<Route> proxy_routes();
std::vector<Route> search_routes();
std::vector<Route> security_routes();
std::vector<Route> session_routes();
std::vector<Route> sessions_routes();
std::vector<Route> setup_routes();
std::vector<Route> task_routes();
std::vector<Route> thumbnail_routes();
std::vector<Route> upload_routes();
std::vector<Route> version_routes();
/// The answer of OPTIONS at the addresses of uploads, by which clients learn of tus.
void add_tus_options(http::Router& router);

namespace {

http::Response healthy() {
  http::Response response = http::json_response(200, R"({"status":"ok"})");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Task<http::Response> ready(Services& services) {
  const auto is_ready = co_await services.readiness.look();
  if (is_ready) co_return healthy();
  co_return http::problem_response(is_ready.error());
}

/// For monitoring, without a key: `/health/live` answers as long as the program serves,
/// `/health/ready` if it can do its work, else 503.
void add_health(http::Router& router, Services& services) {
  router.set_error_format("/health/", &http::problem_response, &http::problem_response);
  add_fixed(router, "/health/live", &healthy);
  router.add(http::Method::get, "/health/ready",
             [&services](http::Request&) { return ready(services); });
}

}  // namespace

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (const auto& routes : {&setup_routes,
                             &session_routes,
                             &security_routes,
                             &passkey_routes,
                             &provider_routes,
                             &proxy_routes,
                             &sessions_routes,
                             &account_routes,
                             &key_routes,
                             &file_routes,
                             &content_routes,
                             &upload_routes,
                             &task_routes,
                             &bin_routes,
                             &version_routes,
                             &lock_routes,
                             &archive_routes,
                             &selection_routes,
                             &search_routes,
                             &link_routes,
                             &person_share_routes,
                             &guest_routes,
                             &guest_upload_routes,
                             &thumbnail_routes,
                             &connector_routes,
                             &admin_account_routes,
                             &admin_group_routes,
                             &admin_share_routes,
                             &admin_folder_routes,
                             &admin_connector_routes,
                             &admin_security_routes,
                             &admin_identity_routes,
                             &admin_sign_in_routes,
                             &admin_session_routes,
                             &admin_setting_routes,
                             &admin_audit_routes,
                             &event_routes,
                             &connector_login_routes}) {
    for (Route& route : routes()) all.push_back(std::move(route));
  }
  return all;
}

void add_routes(http::Router& router, Services& services) {
  router.set_error_format("/api/v2/", &http::problem_response, &http::problem_response);
  for (const std::string_view capture : {"token", "address"}) router.keep_secret(capture);
  router.keep_query_secret(kProviderReturnPath);
  for (const Route& route : all_routes()) {
    router.add(route.method, route.pattern,
               [&services, serve = route.serve](http::Request& request) {
                 return serve(services, request);
               });
  }
  add_tus_options(router);
  add_health(router, services);
  add_fixed(router, "/api/v2/openapi.json", [&base_path = services.base_path] {
    return http::json_response(200,
                               boost::json::serialize(openapi_document(all_routes(), base_path)));
  });
}

}  // namespace coffer::api::v2
