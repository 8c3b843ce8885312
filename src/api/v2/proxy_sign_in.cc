#include "core/identity/proxy_sign_in.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/v2/proxy_words.h"
#include "api/v2/route.h"
#include "api/v2/session_answer.h"

namespace coffer::api::v2 {
namespace {

/// Pages of other sites cannot send JSON.
struct ByProxy {
  FIELDS_OF();
};

Result<core::ProxySignIn*> proxy_of(const Call& call) {
  if (call.services.proxy_sign_in != nullptr) return call.services.proxy_sign_in;
  return fail(ErrorCode::not_found, "There is no proxy that signs people in.");
}

/// A client may have sent one of two headers, and the proxy the other.
Result<std::optional<std::string>> only_value(const http::Request& request,
                                              const std::string& name) {
  if (name.empty() || !request.has(name)) return std::nullopt;
  const auto value = request.header(name);
  if (value) return std::string(*value);
  return fail(ErrorCode::invalid, fmt::format("The header {} is repeated.", name));
}

Task<Result<Answer<SessionDetails>>> sign_in_by_proxy(Call call, NoParameters, ByProxy) {
  CO_TRY(auto* const proxy, proxy_of(call));
  CO_TRY(auto words, proxy_words_in(call));
  if (!words) {
    co_return fail(ErrorCode::unauthenticated, "No proxy of the server says who you are.");
  }
  CO_TRY(auto signed_in, co_await proxy->sign_in(*std::move(words), call.client()));
  co_return co_await signed_in_answer(std::move(call), std::move(signed_in));
}

Task<Result<void>> confirm_by_proxy(Call call, NoParameters, ByProxy) {
  CO_TRY(auto* const proxy, proxy_of(call));
  CO_TRY(auto words, proxy_words_in(call));
  if (!words) co_return fail(ErrorCode::forbidden, "No proxy of the server says who you are.");
  co_return co_await proxy->confirm(call.principal(), *std::move(words));
}

}  // namespace

Result<std::optional<core::ProxyWords>> proxy_words_in(const Call& call) {
  if (!call.request.is_by_proxy) return std::nullopt;
  TRY(auto user, only_value(call.request, call.services.proxy_user_header));
  if (!user) return std::nullopt;
  core::ProxyWords words{*std::move(user)};
  TRY(words.groups, only_value(call.request, call.services.proxy_groups_header));
  return words;
}

std::vector<Route> proxy_routes() {
  using http::Method;
  return {
      json_route(Route(Method::post, "/api/v2/session/proxy", "signInByProxy",
                       "Sign in by the proxy in front of the server",
                       "Opens a session for the person whom the proxy names in the header of the "
                       "setting proxy_user_header, and nowhere else is that header looked at. "
                       "401 if no trusted proxy names anybody, 403 if the person may not sign in "
                       "here. Whoever is no trusted proxy and sends the header gets 400 from all "
                       "addresses. Sets cookies as signIn does.",
                       CallerRule::anyone, 200, {404}),
                 &sign_in_by_proxy),
      json_route(Route(Method::post, "/api/v2/session/proxy/confirm", "confirmByProxy",
                       "Confirm the session by the proxy in front of the server",
                       "As confirmSession, if the proxy still names a person who signs in to the "
                       "account. Proxies may ask for more here than for a sign-in.",
                       CallerRule::session, 204, {404}),
                 &confirm_by_proxy)};
}

}  // namespace coffer::api::v2
