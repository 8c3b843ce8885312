#include "app/home_routes.h"

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "api/v2/route.h"
#include "http/envelope.h"
#include "http/problem.h"
#include "http/query.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

http::Response answer_of(unsigned status, const json::value& value) {
  return http::json_response(status, json::serialize(value));
}

Task<Result<json::array>> list_homes(const HomeRoutes& routes) {
  CO_TRY(const auto accounts, co_await routes.catalog.accounts().list());
  CO_TRY(const auto moves, co_await routes.catalog.home_moves().list());
  json::array homes;
  for (const catalog::Account& account : accounts) {
    json::object home{{"username", account.name},
                      {"store", word_of(routes.homes.store_of(account))},
                      {"folder", routes.homes.location_of(account)},
                      {"move", nullptr}};
    for (const catalog::HomeMove& move : moves) {
      if (move.account != account.id) continue;
      home["move"] = json::object{{"to", word_of(move.target)}, {"phase", word_of(move.phase)}};
    }
    homes.push_back(std::move(home));
  }
  co_return homes;
}

json::object object_of(const moving::MoveState& state) {
  json::object object{{"username", state.account},
                      {"to", word_of(state.to)},
                      {"phase", word_of(state.phase)},
                      {"filesDone", state.files_done},
                      {"filesTotal", state.files_total},
                      {"bytesDone", state.bytes_done},
                      {"bytesTotal", state.bytes_total},
                      {"hasEnded", state.has_ended},
                      {"wasThere", state.was_there},
                      {"error", nullptr},
                      {"removedVersionBytes", state.removed_version_bytes}};
  if (state.error) object["error"] = state.error->message;
  return object;
}

Result<moving::HomeMover*> mover_of(const HomeRoutes& routes) {
  if (routes.mover != nullptr) return routes.mover;
  return fail(ErrorCode::invalid,
              "Own files are moved by a running server that is alone on its catalog: start "
              "`coffer serve`, with `servers` not set.");
}

Result<std::string> parameter(const http::Request& request, std::string_view name) {
  TRY(const auto query, http::Query::parse(request.query));
  TRY(const auto value, query.get(name));
  if (value) return std::string(*value);
  return fail(ErrorCode::invalid, std::string(name) + " is missing.");
}

Result<void> begin_move(const HomeRoutes& routes, const http::Request& request) {
  TRY(auto* const mover, mover_of(routes));
  TRY(std::string account, parameter(request, "account"));
  TRY(const std::string to, parameter(request, "to"));
  const auto store = enum_from<catalog::HomeStore>(to);
  if (!store) return fail(ErrorCode::invalid, "to is files or objects.");
  TRY(const auto query, http::Query::parse(request.query));
  TRY(const auto drops, query.get("dropVersions"));
  const auto versions = drops == "true" ? moving::OldVersions::remove : moving::OldVersions::keep;
  return mover->begin(std::move(account), *store, versions);
}

using Serve = Task<Result<http::Response>> (*)(const HomeRoutes& routes, http::Request& request);

Task<Result<http::Response>> serve_list(const HomeRoutes& routes, http::Request&) {
  CO_TRY(auto homes, co_await list_homes(routes));
  co_return answer_of(200, json::value(std::move(homes)));
}

Task<Result<http::Response>> serve_begin(const HomeRoutes& routes, http::Request& request) {
  CO_TRY_VOID(begin_move(routes, request));
  co_return answer_of(202, json::object());
}

Task<Result<http::Response>> serve_state(const HomeRoutes& routes, http::Request&) {
  CO_TRY(const auto* const mover, mover_of(routes));
  const auto state = mover->state();
  if (!state) {
    co_return fail(ErrorCode::not_found,
                   "The server was started anew: call the command again to go on.");
  }
  co_return answer_of(200, object_of(*state));
}

Task<Result<http::Response>> serve_stop(const HomeRoutes& routes, http::Request&) {
  CO_TRY(auto* const mover, mover_of(routes));
  mover->stop();
  co_return answer_of(202, json::object());
}

Task<http::Response> serve_command(const HomeRoutes& routes, http::Request& request, Serve serve) {
  if (!request.is_local) co_return http::problem_response(404, "There is nothing here.");
  const auto call =
      co_await api::v2::admit(routes.services, request, api::v2::CallerRule::administrator);
  if (!call) co_return http::problem_response(call.error());
  auto response = co_await serve(routes, request);
  if (!response) co_return http::problem_response(response.error());
  co_return *std::move(response);
}

http::Handler handler(const HomeRoutes& routes, Serve serve) {
  return [&routes, serve](http::Request& request) { return serve_command(routes, request, serve); };
}

}  // namespace

void add_home_routes(http::Router& router, const HomeRoutes& routes) {
  using http::Method;
  router.add(Method::get, kHomesTarget, handler(routes, &serve_list));
  router.add(Method::post, kHomeMoveTarget, handler(routes, &serve_begin));
  router.add(Method::get, kHomeMoveTarget, handler(routes, &serve_state));
  router.add(Method::del, kHomeMoveTarget, handler(routes, &serve_stop));
}

}  // namespace coffer::app
