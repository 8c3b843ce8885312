#include "api/routes.h"

#include <string>
#include <utility>

#include "api/docs_page.h"
#include "api/fixed.h"
#include "api/openapi.h"
#include "api/resources.h"

namespace coffer::api {
namespace {

void append(std::vector<Endpoint>& all, std::vector<Endpoint> more) {
  for (Endpoint& endpoint : more) all.push_back(std::move(endpoint));
}

}  // namespace

std::vector<Endpoint> all_endpoints() {
  std::vector<Endpoint> all = location_endpoints();
  append(all, file_endpoints());
  all.push_back(download_endpoint());
  all.push_back(upload_endpoint());
  append(all, account_endpoints());
  append(all, key_endpoints());
  return all;
}

void add_routes(http::Router& router, Services& services) {
  for (const Endpoint& endpoint : all_endpoints()) {
    router.add(endpoint.method, endpoint.pattern,
               [&services, serve = endpoint.serve](http::Request& request) {
                 return serve(services, request);
               });
  }
  add_fixed(router, "/api/openapi.json", [] {
    return http::json_response(200, boost::json::serialize(openapi_document(all_endpoints())));
  });
  add_fixed(router, "/api/docs", [] {
    return page_response(docs_page(openapi_document(all_endpoints()), "/api/openapi.json"));
  });
}

}  // namespace coffer::api
