#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <functional>
#include <memory>
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

/// The callers that a route accepts. A limited key is one that can be used within one folder only.
enum class CallerRule : std::uint8_t {
  anyone,         ///< Everyone; a key or a session is not needed.
  session,        ///< A session.
  account,        ///< A session, a key that is not limited, or the command line.
  account_files,  ///< A session or a key that is not limited; not the command line.
  files,          ///< A session or any key; the command line only to show or end tasks.
  administrator,  ///< An administrator's session or unlimited key, or the command line.
};

/// Returns the rule as a sentence for the description of a route.
std::string_view text_of(CallerRule rule);

struct HeaderDescription {
  std::string_view name;
  bool required = false;
  std::string_view text;
  boost::json::object schema = {};
  std::string_view example;
};

/// One row of the route table of /api/v2: how requests are served, which callers are accepted, and
/// how OpenAPI describes the route.
struct Route {
  http::Method method = http::Method::get;
  std::string_view pattern;
  std::string_view id;  ///< The operation's id in the OpenAPI document.
  std::string_view summary;
  std::string_view description;
  CallerRule rule = CallerRule::account;
  unsigned success = 200;
  std::vector<unsigned> errors = {};  ///< Error statuses besides 400, 401, 403, 429, 431, 500, 503.
  Form form = Form::json;
  bool is_conditional = false;  ///< True if answers have an ETag and If-None-Match is evaluated.
  /// Makes the schema of a JSON answer, or of each line of JSON lines. Not set for other answers.
  std::function<boost::json::value(Components&)> answer_schema = {};
  std::vector<ParameterDescription> parameters = {};
  std::vector<HeaderDescription> headers = {};
  /// The media type of a body that is neither JSON nor a file; empty if there is no such body.
  std::string_view bytes_type = {};
  std::function<boost::json::object()> body = {};  ///< Makes the schema of a JSON body, if any.
  std::function<Task<http::Response>(Services&, http::Request&)> serve = {};
};

/// The data of an answer without a body (204).
struct Nothing {};

/// The answer of a handler: the data, and headers besides those that every answer has.
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

/// A request that a route has accepted. `caller` can be nullopt only with `CallerRule::anyone`.
struct Call {
  Services& services;
  http::Request& request;
  std::optional<core::Principal> caller;

  /// Returns the caller, which must exist.
  const core::Principal& principal() const { return *caller; }
  /// Returns the `holder` for `in_room`; nobody if there is no caller.
  MemoryHolder holder() const { return caller ? core::holder_of(*caller) : MemoryHolder(); }
  core::SignInClient client() const;
  /// Returns the holder of a place in the PasswordQueue: the caller, or else the client's address.
  core::PasswordAsker password_asker() const;
};

/// Identifies the caller of a request, checks `rule`, and returns the call. Errors:
/// - those of `authenticate`, except for `anyone` and for the command line (`is_local`);
/// - `forbidden` if the rule does not accept the caller;
/// - `forbidden` if the request is neither GET nor HEAD and the caller's key may only read (with
///   `CallerRule::files`, the services check this instead);
/// - `forbidden` if the rule is `anyone` and `refuse_foreign_page` refuses the request;
/// - `forbidden` if a command asks for files, or a web page uses the socket of the command line;
/// - `not_found` if the command line's header X-Coffer-Account names an unknown account;
/// - `invalid` if this header is missing but needed, or X-Coffer-Database names another catalog.
Task<Result<Call>> admit(Services& services, http::Request& request, CallerRule rule);

/// Reserves memory for the response (see hold_text) and returns it. If nobody holds it, it is for
/// the guests of the account in `request.account`. If there is no memory, returns a problem (RFC
/// 9457) instead.
http::Response in_room(Services& services, const http::Request& request, MemoryHolder holder,
                       http::Response response);

/// The parameter of a route for one entry of a list.
struct EntryParameters {
  FIELD(NonEmpty<std::string>, id, "The entry's identifier, as the list shows it.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
};

/// A handler of JSON: P holds the parameters, B the request's body, and Data the answer.
template <class P, class B, class Data>
using Handler = Task<Result<Answer<Data>>> (*)(Call, P, B);
/// A handler whose answer is empty.
template <class P, class B>
using EmptyHandler = Task<Result<void>> (*)(Call, P, B);
/// A handler that makes the whole response. It is for routes whose body or answer is not JSON.
template <class P>
using BytesHandler = Task<Result<http::Response>> (*)(Call, P);

template <class B>
inline constexpr bool is_large_body = kBodyBytesOf<B> > 512 * 1024;

/// Reserves memory for the call's body, which has at most `most_bytes`, and for what is made of it.
/// It is released with the returned object. Fails as `MemoryRoom::Hold::grow`.
Result<std::shared_ptr<void>> room_for_body(const Call& call, std::size_t most_bytes);

/// Checks the caller again if the body came so slowly that the right may have been lost meanwhile.
/// Errors: see `admit`.
Task<Result<void>> admit_again(const Call& call, CallerRule rule,
                               std::chrono::steady_clock::time_point begun_at);

template <class P, class B, class Handle>
Task<Result<http::Response>> answer_json(Call call, CallerRule rule, P parameters, unsigned success,
                                         Handle handle) {
  std::shared_ptr<void> room;
  if constexpr (is_large_body<B>) {
    CO_TRY(room, room_for_body(call, kBodyBytesOf<B>));
  }
  const auto begun_at = std::chrono::steady_clock::now();
  CO_TRY(auto body, co_await read_body<B>(call.request));
  if constexpr (!std::is_same_v<B, NoBody>) {
    CO_TRY_VOID(co_await admit_again(call, rule, begun_at));
  }
  auto answer = co_await handle(std::move(call), std::move(parameters), std::move(body));
  if (!answer) co_return failure_of(std::move(answer));
  if constexpr (std::is_same_v<decltype(answer), Result<void>>) {
    co_return response_of(success, Answer<Nothing>{});
  } else {
    co_return response_of(success, *std::move(answer));
  }
}

/// True if P ignores parameters that it does not name, since others make the addresses.
template <class P>
inline constexpr bool takes_others = requires { requires P::kTakesOthers; };

/// Serves a request: checks the caller, reads the parameters, and calls `handle(call, parameters)`.
/// Turns a failure into a problem (RFC 9457).
template <class P, class Handle>
Task<http::Response> serve_route(Services& services, http::Request& request, CallerRule rule,
                                 const std::vector<std::string_view>& captured, Handle handle) {
  auto call = co_await admit(services, request, rule);
  if (!call) co_return http::problem_response(call.error());
  auto parameters = read_parameters<P>(
      request, captured, takes_others<P> ? OtherParameters::pass : OtherParameters::refuse);
  if (!parameters) co_return http::problem_response(parameters.error());
  MemoryHolder holder = call->holder();
  auto response = co_await handle(*std::move(call), *std::move(parameters));
  if (!response) co_return http::problem_response(response.error());
  co_return in_room(services, request, std::move(holder), *std::move(response));
}

/// Returns `route` with a `serve` that calls `handle`, and with descriptions of the fields of P.
template <class P, class Handle>
Route served_route(Route route, Handle handle) {
  route.parameters = describe_parameters<P>(route.pattern);
  route.serve = [handle, rule = route.rule, captured = captured_names(route.pattern)](
                    Services& services, http::Request& request) {
    return serve_route<P>(services, request, rule, captured, handle);
  };
  return route;
}

template <class P>
Route bytes_route(Route route, BytesHandler<P> handle) {
  return served_route<P>(std::move(route), handle);
}

template <class P, class B, class Handle>
Route body_route(Route route, Handle handle) {
  if constexpr (!std::is_same_v<B, NoBody>) route.body = &body_schema<B>;
  const unsigned success = route.success;
  const CallerRule rule = route.rule;
  return served_route<P>(std::move(route), [handle, rule, success](Call call, P parameters) {
    return answer_json<P, B>(std::move(call), rule, std::move(parameters), success, handle);
  });
}

/// Returns `route` with a `serve` that calls `handle`, and with the JSON schemas of the body, which
/// has the type B, and of the answer, which has the type Data.
template <class P, class B, class Data>
Route json_route(Route route, Handler<P, B, Data> handle) {
  if constexpr (!std::is_same_v<Data, Nothing>) route.answer_schema = &schema_of<Data>;
  return body_route<P, B>(std::move(route), handle);
}
template <class P, class B>
Route json_route(Route route, EmptyHandler<P, B> handle) {
  return body_route<P, B>(std::move(route), handle);
}

}  // namespace coffer::api::v2
