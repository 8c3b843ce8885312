#pragma once

#include <boost/json.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/endpoint.h"
#include "api/v2/body.h"
#include "core/namespace/principal.h"
#include "http/problem.h"

namespace coffer::api::v2 {

/// The callers whose requests a route accepts.
enum class CallerRule : std::uint8_t {
  anyone,         ///< Everyone; a key or a session is not needed.
  session,        ///< A session.
  account,        ///< A session, or a key that is not limited to a folder.
  account_files,  ///< As `account`, but not the command line, which does not work with files.
  files,          ///< A session or any key; a limited key reaches only its folder.
  administrator,  ///< An administrator's session, or key without a folder.
};

/// Returns the rule as a sentence, which ends the description of a route.
std::string_view text_of(CallerRule rule);

/// A request header that a route takes.
struct HeaderDescription {
  std::string_view name;
  bool required = false;
  std::string_view text;
  boost::json::object schema = {};
  std::string_view example;
};

/// One row of the route table of /api/v2. It defines how requests are served, which callers are
/// accepted, and what the API's description says.
struct Route {
  http::Method method = http::Method::get;
  std::string_view pattern;
  std::string_view id;  ///< The operation's id in the description.
  std::string_view summary;
  std::string_view description;
  CallerRule rule = CallerRule::account;
  unsigned success = 200;
  std::vector<unsigned> errors = {};  ///< Error statuses besides 400, 401, 403, 431, 500 and 503.
  Form form = Form::json;
  bool is_conditional = false;  ///< The answer has an ETag, and If-None-Match works.
  std::function<boost::json::value(Components&)> answer_schema = {};  ///< Empty without JSON.
  std::vector<ParameterDescription> parameters = {};
  std::vector<HeaderDescription> headers = {};
  std::string_view bytes_type = {};  ///< The media type of an optional body that is not JSON.
  std::function<boost::json::object()> body = {};  ///< The schema of a JSON body; may be empty.
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// The data of an answer without a body (204).
struct Nothing {};

/// The answer of a handler: data, and headers besides those of every answer.
template <class Data>
struct Answer {
  Data data;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

template <class Data>
http::Response response_of(unsigned status, Answer<Data> answer) {
  http::Response response;
  response.status = status;
  response.headers = std::move(answer.headers);
  if constexpr (!std::is_same_v<Data, Nothing>) {
    response.headers.emplace_back("Content-Type", "application/json");
    response.body = json_of(answer.data);
  }
  return response;
}

/// A request that a route has accepted. The caller is absent only for `CallerRule::anyone`.
struct Call {
  Services& services;
  http::Request& request;
  std::optional<core::Principal> caller;

  /// Requires a caller.
  const core::Principal& principal() const { return *caller; }
  /// Returns the holder for AnswerRoom: the account's name, or an empty text without a caller.
  std::string holder() const { return caller ? caller->account->name : std::string(); }
  core::SignInClient client() const;
};

/// Checks the rule and the caller at the start of a request, and returns the call. (Long work
/// checks its rights again by AccessRecheck.) Errors, besides those of `authenticate`: `forbidden`
/// if the rule does not accept the caller, or if the request writes and the caller may only read.
Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule);

/// Reserves the memory of the response in the AnswerRoom and returns the response. If `holder` is
/// empty, the holder is all guests of the account of the request. Returns a problem if there are
/// too many large answers at once.
http::Response in_room(Services& services, const http::Request& request, std::string holder,
                       http::Response response);

/// A handler whose request and answer are JSON.
template <class P, class B, class Data>
using Handler = Task<Result<Answer<Data>>> (*)(Call, P, B);
/// A handler that makes the whole response, since its request or answer is not JSON.
template <class P>
using BytesHandler = Task<Result<http::Response>> (*)(Call, P);

template <class P, class B, class Data>
Task<Result<http::Response>> answer_json(Call call, P parameters, unsigned success,
                                         Handler<P, B, Data> handle) {
  CO_TRY(auto body, co_await read_body<B>(call.request));
  CO_TRY(auto answer, co_await handle(std::move(call), std::move(parameters), std::move(body)));
  co_return response_of(success, std::move(answer));
}

/// Serves a request: checks the caller, reads the parameters, calls `handle(call, parameters)`, and
/// turns a failure into a problem.
template <class P, class Handle>
Task<http::Response> serve_route(Services& services, http::Request& request, CallerRule rule,
                                 const std::vector<std::string_view>& captured, Handle handle) {
  auto call = co_await admit(services, request, rule);
  if (!call) co_return http::problem_response(call.error());
  auto parameters = read_parameters<P>(request, captured, OtherParameters::refuse);
  if (!parameters) co_return http::problem_response(parameters.error());
  std::string holder = call->holder();
  auto response = co_await handle(*std::move(call), *std::move(parameters));
  if (!response) co_return http::problem_response(response.error());
  co_return in_room(services, request, std::move(holder), *std::move(response));
}

/// Returns `route` with a `serve` that calls `handle`, and with descriptions of P.
template <class P, class Handle>
Route served_route(Route route, Handle handle) {
  route.parameters = describe_parameters<P>(route.pattern);
  route.serve = [handle, rule = route.rule, captured = captured_names(route.pattern)](
                    Services& services, http::Request& request) {
    return serve_route<P>(services, request, rule, captured, handle);
  };
  return route;
}

/// Returns `route` with a handler that makes the whole response, of the form `route.form`.
template <class P>
Route bytes_route(Route route, BytesHandler<P> handle) {
  return served_route<P>(std::move(route), handle);
}

/// Returns `route` with a handler of JSON, and with schemas of the types B and Data.
template <class P, class B, class Data>
Route json_route(Route route, Handler<P, B, Data> handle) {
  if constexpr (!std::is_same_v<B, NoBody>) route.body = &body_schema<B>;
  if constexpr (!std::is_same_v<Data, Nothing>) route.answer_schema = &schema_of<Data>;
  const unsigned success = route.success;
  return served_route<P>(std::move(route), [handle, success](Call call, P parameters) {
    return answer_json<P, B, Data>(std::move(call), std::move(parameters), success, handle);
  });
}

}  // namespace coffer::api::v2
