#include "api/dav/routes.h"

#include <string>
#include <utility>

#include "api/dav/answers.h"
#include "api/dav/call.h"
#include "api/dav/conditions.h"
#include "api/dav/handlers.h"
#include "http/conditional.h"

namespace coffer::api::dav {
namespace {

using http::Method;
using Serve = Task<Result<http::Response>> (*)(const Call& call);

constexpr std::string_view kClasses = "1, 2, 3";
constexpr std::string_view kMethods =
    "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK";

struct Row {
  Method method;
  Serve serve;
};
constexpr Row kRows[] = {
    {Method::get, &get},           {Method::put, &put},
    {Method::del, &remove},        {Method::mkcol, &make_collection},
    {Method::copy, &copy},         {Method::move, &move},
    {Method::propfind, &propfind}, {Method::proppatch, &proppatch},
    {Method::lock, &lock},         {Method::unlock, &unlock},
};

bool writes(Method method) {
  return method != Method::get && method != Method::head && method != Method::propfind;
}

Task<Result<http::Response>> serve_call(Services& services, http::Request& request, Options options,
                                        Serve serve) {
  CO_TRY(auto principal, co_await authenticate(services, request, options));
  if (writes(request.method)) CO_TRY_VOID(core::check_may_write(principal));
  const std::string_view rest = request.captures.empty() ? "" : request.captures.front();
  CO_TRY(auto path, co_await path_in(services, principal, rest));
  Call call{services, request, std::move(principal), std::move(path), rest.ends_with('/'), options};
  CO_TRY_VOID(co_await check_conditions(call));
  // A PUT carries them to the moment in which it is published.
  const bool writes_now = writes(request.method) && request.method != Method::put;
  if (writes_now && http::has_write_conditions(request)) {
    CO_TRY([[maybe_unused]] const auto there, co_await check_write_conditions(call));
  }
  co_return co_await serve(call);
}

Task<http::Response> serve_row(Services& services, http::Request& request, Options options,
                               Serve serve) {
  auto response = co_await serve_call(services, request, options, serve);
  if (!response) co_return error_answer(request, response.error());
  co_return *std::move(response);
}

/// Clients ask what is spoken here before they sign in.
Task<http::Response> tell_options(http::Request&) {
  http::Response response = answer(200);
  response.headers = {
      {"DAV", std::string(kClasses)}, {"Allow", std::string(kMethods)}, {"MS-Author-Via", "DAV"}};
  co_return response;
}

Task<http::Response> tell_top_options(http::Request&) {
  http::Response response = answer(200);
  response.headers = {{"DAV", std::string(kClasses)},
                      {"Allow", "OPTIONS, GET, HEAD, PROPFIND"},
                      {"MS-Author-Via", "DAV"}};
  co_return response;
}

void append_folder(std::string& out, std::string_view base_path, std::string_view path) {
  out.append("<D:response><D:href>").append(base_path).append(path);
  out +=
      "</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>"
      "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>";
}

/// Windows looks at the folders above the one that it is told of.
Task<http::Response> list_top(http::Request& request) {
  const auto depth = depth_of(request);
  if (!depth) co_return error_answer(depth.error());
  if (*depth == Depth::infinity) co_return precondition_answer(403, "propfind-finite-depth");
  std::string text(kMultistatusBegin);
  append_folder(text, request.base_path, "/");
  if (*depth == Depth::one) append_folder(text, request.base_path, kTop);
  text += kMultistatusEnd;
  http::Response response = answer(207);
  response.headers.emplace_back("Content-Type", kXmlType);
  response.body = std::move(text);
  co_return response;
}

}  // namespace

void add_routes(http::Router& router, Services& services, Options options) {
  router.set_error_format("/dav", &error_answer, &error_answer);
  for (const std::string_view pattern : {"/dav", "/dav/{path*}"}) {
    for (const Row& row : kRows) {
      router.add(row.method, pattern,
                 [&services, options, serve = row.serve](http::Request& request) {
                   return serve_row(services, request, options, serve);
                 });
    }
    router.add(Method::options, pattern, &tell_options);
  }
  router.add(Method::options, "/", &tell_top_options);
  router.add(Method::propfind, "/", &list_top);
}

}  // namespace coffer::api::dav
