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

/// The callers that a route lets in.
enum class CallerRule : std::uint8_t {
  anyone,         ///< Everyone, without a key or a session.
  session,        ///< A session.
  account,        ///< A session, or a key that is not limited to a folder.
  files,          ///< A session, or any key: one with a folder reaches that alone.
  administrator,  ///< As `account`, of an administrator.
};

/// The rule as a sentence, which ends the description of a route.
std::string_view text_of(CallerRule rule);

/// A header that a route takes, as the description shows it.
struct HeaderDescription {
  std::string_view name;
  bool required = false;
  std::string_view text;
  boost::json::object schema = {};
  std::string_view example;
};

/// One row of the route table: it serves the requests, decides who may send them, and the
/// description comes from it too.
struct Route {
  http::Method method = http::Method::get;
  std::string_view pattern;
  std::string_view id;  ///< The operation's id in the description.
  std::string_view summary;
  std::string_view description;
  CallerRule rule = CallerRule::account;
  unsigned success = 200;
  std::vector<unsigned> errors = {};  ///< Beside 400, 401, 403, 431, 500 and 503.
  Form form = Form::json;
  bool is_conditional = false;  ///< The answer has an ETag, and If-None-Match is obeyed.
  std::function<boost::json::value(Components&)> answer_schema = {};  ///< Empty for no content.
  std::vector<ParameterDescription> parameters = {};
  std::vector<HeaderDescription> headers = {};
  std::string_view bytes_type = {};  ///< The media type of a body that may come and is no JSON.
  std::function<boost::json::object()> body = {};  ///< Its schema; empty without one.
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// The data of an answer without a body: 204.
struct Nothing {};

/// The answer of a handler: data, and headers beside those that every answer has.
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

/// A request that was let in. The caller is absent for `CallerRule::anyone` alone.
struct Call {
  Services& services;
  http::Request& request;
  std::optional<core::Principal> caller;

  const core::Principal& principal() const { return *caller; }
  /// The holder of the answer's memory (AnswerRoom); empty if the account is not known yet.
  std::string holder() const { return caller ? caller->account->name : std::string(); }
  core::SignInClient client() const;
};

/// Lets a request in by the rule, at its begin; changes after long work ask AccessRecheck again.
Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule);

/// The response, counted for its holder (AnswerRoom), or without one for all guests of the account
/// of the request; a problem if there are too many large answers at once.
http::Response in_room(Services& services, const http::Request& request, std::string holder,
                       http::Response response);

/// A handler of JSON, and one whose request or answer is not JSON: it makes the whole response.
template <class P, class B, class Data>
using Handler = Task<Result<Answer<Data>>> (*)(Call, P, B);
template <class P>
using BytesHandler = Task<Result<http::Response>> (*)(Call, P);

template <class P, class B, class Data>
Task<Result<http::Response>> answer_json(Call call, P parameters, unsigned success,
                                         Handler<P, B, Data> handle) {
  CO_TRY(auto body, co_await read_body<B>(call.request));
  CO_TRY(auto answer, co_await handle(std::move(call), std::move(parameters), std::move(body)));
  co_return response_of(success, std::move(answer));
}

/// Serves a request: lets the caller in, reads the parameters, calls `handle(call, parameters)`,
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

/// Makes `route` serve through a handler, and describes its parameters.
template <class P, class Handle>
Route served_route(Route route, Handle handle) {
  route.parameters = describe_parameters<P>(route.pattern);
  route.serve = [handle, rule = route.rule, captured = captured_names(route.pattern)](
                    Services& services, http::Request& request) {
    return serve_route<P>(services, request, rule, captured, handle);
  };
  return route;
}

/// The form of the answer stands in `route.form`.
template <class P>
Route bytes_route(Route route, BytesHandler<P> handle) {
  return served_route<P>(std::move(route), handle);
}

/// Describes the body and the answer by their types, too.
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
