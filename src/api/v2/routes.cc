#include "api/v2/routes.h"

#include <string>

#include "api/docs_page.h"
#include "api/fixed.h"
#include "api/v2/account.h"
#include "api/v2/archive.h"
#include "api/v2/connector_login.h"
#include "api/v2/content.h"
#include "api/v2/files.h"
#include "api/v2/guest.h"
#include "api/v2/health.h"
#include "api/v2/openapi.h"
#include "api/v2/resources.h"
#include "api/v2/session.h"
#include "api/v2/uploads.h"

namespace coffer::api::v2 {

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (auto part : {setup_routes(),         session_routes(),       sessions_routes(),
                    account_routes(),       key_routes(),           file_routes(),
                    content_routes(),       upload_routes(),        task_routes(),
                    bin_routes(),           archive_routes(),       search_routes(),
                    link_routes(),          guest_routes(),         guest_upload_routes(),
                    thumbnail_routes(),     connector_routes(),     admin_account_routes(),
                    admin_share_routes(),   admin_folder_routes(),  admin_connector_routes(),
                    admin_session_routes(), admin_setting_routes(), admin_audit_routes()}) {
    for (Route& route : part) all.push_back(std::move(route));
  }
  for (Route& route : event_routes()) all.push_back(std::move(route));
  all.push_back(connector_provider_route());
  all.push_back(connector_login_route());
  return all;
}

void add_routes(http::Router& router, Services& services) {
  router.set_error_format("/api/v2/", &http::problem_response);
  router.set_secret_prefix("/api/v2/content/");
  router.set_secret_prefix("/api/v2/guest/");
  router.set_secret_query(std::string(kLoginReturnPath));
  for (const Route& route : all_routes()) {
    router.add(route.method, route.pattern,
               [&services, serve = route.serve](http::Request& request) {
                 return serve(services, request);
               });
  }
  add_tus_options(router);
  add_health(router, services);
  add_fixed(router, "/api/v2/openapi.json", [] {
    return http::json_response(200, boost::json::serialize(openapi_document(all_routes())));
  });
  add_fixed(router, "/api/v2/docs", [] {
    return page_response(docs_page(openapi_document(all_routes()), "/api/v2/openapi.json"));
  });
}

}  // namespace coffer::api::v2
