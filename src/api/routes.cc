#include "api/routes.h"

#include <memory>
#include <string>
#include <utility>

#include "api/account.h"
#include "api/docs_page.h"
#include "api/download.h"
#include "api/files.h"
#include "api/keys.h"
#include "api/locations.h"
#include "api/openapi.h"
#include "api/upload.h"

namespace coffer::api {
namespace {

void append(std::vector<Endpoint>& all, std::vector<Endpoint> more) {
  for (Endpoint& endpoint : more) all.push_back(std::move(endpoint));
}

/// A resource that is the same for everyone and needs no key.
Task<http::Response> serve_fixed(std::shared_ptr<const http::Response> response) {
  co_return *response;
}

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
  const std::vector<Endpoint> endpoints = all_endpoints();
  for (const Endpoint& endpoint : endpoints) {
    router.add(endpoint.method, endpoint.pattern,
               [&services, serve = endpoint.serve](http::Request& request) {
                 return serve(services, request);
               });
  }
  const boost::json::object document = openapi_document(endpoints);
  add_fixed(router, "/api/openapi.json",
            http::json_response(200, boost::json::serialize(document)));
  add_fixed(router, "/api/docs", page_response(docs_page(document)));
}

}  // namespace coffer::api
