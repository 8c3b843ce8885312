#include "api/routes.h"

#include <utility>

#include "api/fixed.h"

namespace coffer::api {

// The resources, each in a source of its name.
std::vector<Endpoint> account_endpoints();
std::vector<Endpoint> file_endpoints();
std::vector<Endpoint> key_endpoints();
std::vector<Endpoint> listing_endpoints();
std::vector<Endpoint> location_endpoints();

std::vector<Endpoint> all_endpoints() {
  std::vector<Endpoint> all;
  for (const auto& endpoints : {&location_endpoints, &listing_endpoints, &file_endpoints,
                                &account_endpoints, &key_endpoints}) {
    for (Endpoint& endpoint : endpoints()) all.push_back(std::move(endpoint));
  }
  return all;
}

void add_routes(http::Router& router, Services& services) {
  for (const Endpoint& endpoint : all_endpoints()) {
    router.add(endpoint.method, endpoint.pattern,
               [&services, serve = endpoint.serve](http::Request& request) {
                 return serve(services, request);
               });
  }
  add_fixed(router, "/api/openapi.json", [&base_path = services.base_path] {
    return http::json_response(
        200, boost::json::serialize(openapi_document(all_endpoints(), base_path)));
  });
}

}  // namespace coffer::api
