#pragma once

#include <boost/json.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/endpoint.h"
#include "api/v2/answer.h"
#include "api/v2/body_schema.h"
#include "api/v2/caller_rule.h"
#include "http/problem.h"

namespace coffer::api::v2 {

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
  Form form = Form::json;
  unsigned success = 200;
  bool is_conditional = false;        ///< It has an ETag, and answers If-None-Match.
  std::vector<unsigned> errors = {};  ///< Beside 400, 401, 403, 431, 500 and 503.
  std::vector<ParameterDescription> parameters = {};
  std::vector<HeaderDescription> headers = {};
  std::string_view bytes_type = {};  ///< The media type of a body that may come and is no JSON.
  std::function<boost::json::object()> body = {};  ///< Its schema; empty without one.
  std::function<boost::json::value(Components&)> answer_schema =
      {};  ///< Empty where nothing is said.
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// A request that was let in.
struct Call {
  Services& services;
  http::Request& request;
  std::optional<core::Principal> caller;  ///< Always there but for `CallerRule::anyone`.

  const core::Principal& principal() const { return *caller; }
  /// Whose room the answer takes (AnswerRoom), where that is known before it is made.
  std::string holder() const { return caller ? caller->account->name : std::string(); }
  core::SignInClient client() const;
};

/// Lets a request in by the rule. What answers after long work was let in at its begin: what it
/// changes asks AccessRecheck again.
Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule);

/// The answer, holding what it takes of memory for its holder, or, without one, for all guests of
/// the account that the request turned out to be for; the refusal, where that is too much at once.
http::Response in_room(Services& services, const http::Request& request, std::string holder,
                       http::Response response);

template <class P, class B, class Data>
using Handler = Task<Result<Answer<Data>>> (*)(Call, P, B);

template <class P, class B, class Data>
Task<http::Response> serve_route(Services& services, http::Request& request, CallerRule rule,
                                 unsigned success, const std::vector<std::string_view>& captured,
                                 Handler<P, B, Data> handle) {
  auto call = co_await admit(services, request, rule);
  if (!call) co_return http::problem_response(call.error());
  auto parameters = read_parameters<P>(request, captured, OtherParameters::refuse);
  if (!parameters) co_return http::problem_response(parameters.error());
  auto body = co_await read_body<B>(request);
  if (!body) co_return http::problem_response(body.error());
  std::string holder = call->holder();
  auto answer = co_await handle(*std::move(call), *std::move(parameters), *std::move(body));
  if (!answer) co_return http::problem_response(answer.error());
  co_return in_room(services, request, std::move(holder), response_of(success, *std::move(answer)));
}

/// A handler whose request or answer is not JSON.
template <class P>
using BytesHandler = Task<Result<http::Response>> (*)(Call, P);

template <class P>
Task<http::Response> serve_bytes(Services& services, http::Request& request, CallerRule rule,
                                 const std::vector<std::string_view>& captured,
                                 BytesHandler<P> handle) {
  auto call = co_await admit(services, request, rule);
  if (!call) co_return http::problem_response(call.error());
  auto parameters = read_parameters<P>(request, captured, OtherParameters::refuse);
  if (!parameters) co_return http::problem_response(parameters.error());
  std::string holder = call->holder();
  auto response = co_await handle(*std::move(call), *std::move(parameters));
  if (!response) co_return http::problem_response(response.error());
  co_return in_room(services, request, std::move(holder), *std::move(response));
}

/// The same for a handler that makes the whole answer. What it is like stands in `form`.
template <class P>
Route bytes_route(Route route, BytesHandler<P> handle) {
  route.parameters = describe_parameters<P>(route.pattern);
  route.serve = [handle, rule = route.rule, captured = captured_names(route.pattern)](
                    Services& services, http::Request& request) {
    return serve_bytes<P>(services, request, rule, captured, handle);
  };
  return route;
}

/// Makes `route` serve through `handle`, and describes what it takes and answers by its types.
template <class P, class B, class Data>
Route json_route(Route route, Handler<P, B, Data> handle) {
  route.parameters = describe_parameters<P>(route.pattern);
  if constexpr (!std::is_same_v<B, NoBody>) route.body = &body_schema<B>;
  if constexpr (!std::is_same_v<Data, Nothing>) route.answer_schema = &schema_of<Data>;
  route.serve = [handle, rule = route.rule, success = route.success,
                 captured = captured_names(route.pattern)](Services& services,
                                                           http::Request& request) {
    return serve_route<P, B, Data>(services, request, rule, success, captured, handle);
  };
  return route;
}

}  // namespace coffer::api::v2
