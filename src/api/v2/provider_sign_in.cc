#include "core/identity/provider_sign_in.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "api/caller.h"
#include "api/v2/identity_view.h"
#include "api/v2/passkey_json.h"
#include "api/v2/route.h"
#include "api/v2/routes.h"
#include "api/v2/values.h"
#include "catalog/identities.h"
#include "http/query.h"

namespace coffer::api::v2 {
namespace {

enum class Prompt : std::uint8_t { none, login, select_account };
constexpr auto words_of(Prompt) {
  return enum_words<Prompt>({{Prompt::none, "none"},
                             {Prompt::login, "login"},
                             {Prompt::select_account, "select_account"}});
}

using ReturnPath = BoundedText<1, 1024>;

struct ReturnParameters {
  FIELD(std::optional<ReturnPath>, return_,
        "The page to come back to: a path at this server. Default: its first page.", R"("/files")");
};

struct PromptParameter {
  FIELD(std::optional<Prompt>, prompt,
        "What the provider shows: nothing, so that a person who is not signed in there is refused; "
        "its sign-in; or its list of accounts.",
        R"("login")");
};

struct StartParameters : ReturnParameters, PromptParameter {
  FIELDS_OF(ReturnParameters, PromptParameter);
};

/// What providers add of their own, such as `session_state`, is ignored.
struct CallbackParameters {
  static constexpr bool kTakesOthers = true;
  FIELD(std::optional<std::string>, code, "The authorization code.", R"("c0de")");
  FIELD(std::optional<std::string>, state, "That of the request.", R"("5t4te")");
  FIELD(std::optional<std::string>, iss, "The issuer (RFC 9207).", R"("https://id.example.org")");
  FIELD(std::optional<std::string>, error, "Why there is no code.", R"("access_denied")");
};

struct ProviderView {
  static constexpr std::string_view kSchema = "SignInProvider";
  FIELD(std::string, name, "The provider's name for people.", R"("Example ID")");
};

struct SignInMethods {
  static constexpr std::string_view kSchema = "SignInMethods";
  FIELD(bool, password, "True if accounts may sign in by a password, be it some of them alone.",
        "true");
  FIELD(bool, passkeys, "True if people may sign in with passkeys on the page that asks.", "true");
  FIELD(std::optional<ProviderView>, provider, "The provider to sign in at; null if there is none.",
        "null");
  FIELD(bool, proxy,
        "True if a proxy signs people in (signInByProxy), and the request came through it.",
        "false");
};

Result<core::ProviderSignIn*> provider_of(const Call& call) {
  if (call.services.provider_sign_in != nullptr) return call.services.provider_sign_in;
  return fail(ErrorCode::not_found, "There is no provider to sign in at.");
}

std::string path_of(std::optional<ReturnPath>& path) {
  return path ? std::move(path->value) : "/";
}

http::Response see_other(std::string location) {
  http::Response response;
  response.status = 303;
  response.headers = {{"Location", std::move(location)}, {"Cache-Control", "no-store"}};
  return response;
}

/// Sends the browser to the provider, with the cookie that it shows when it comes back.
http::Response to_provider(const Call& call, core::BegunProviderSignIn begun) {
  auto response = see_other(std::move(begun.address));
  response.headers.emplace_back(
      "Set-Cookie", provider_cookie(call.request, begun.cookie, core::ProviderSignIn::kLife));
  return response;
}

Task<Result<Answer<SignInMethods>>> list_methods(Call call, NoParameters, NoBody) {
  SignInMethods methods;
  methods.password = call.services.sign_in_rules.password != core::PasswordSignIn::nobody;
  methods.passkeys = passkey_domain(call).has_value();
  if (call.services.provider_sign_in != nullptr) {
    methods.provider = ProviderView{call.services.provider_name};
  }
  methods.proxy = call.services.proxy_sign_in != nullptr && call.request.is_by_proxy;
  co_return Answer<SignInMethods>{std::move(methods)};
}

Task<Result<http::Response>> start_sign_in(Call call, StartParameters parameters) {
  CO_TRY(auto* const provider, provider_of(call));
  std::string prompt;
  if (parameters.prompt) prompt = word_of(*parameters.prompt);
  CO_TRY(auto begun,
         co_await provider->begin(path_of(parameters.return_), std::move(prompt), call.client()));
  co_return to_provider(call, std::move(begun));
}

Task<Result<http::Response>> start_link(Call call, ReturnParameters parameters) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto* const provider, provider_of(call));
  CO_TRY(auto begun, co_await provider->begin_link(call.principal(), path_of(parameters.return_)));
  co_return to_provider(call, std::move(begun));
}

Task<Result<http::Response>> start_confirmation(Call call, ReturnParameters parameters) {
  CO_TRY(auto* const provider, provider_of(call));
  CO_TRY(auto begun,
         co_await provider->begin_confirmation(call.principal(), path_of(parameters.return_)));
  co_return to_provider(call, std::move(begun));
}

Task<Result<http::Response>> end_sign_in(Call call, CallbackParameters parameters) {
  CO_TRY(auto* const provider, provider_of(call));
  core::ProviderCallback callback;
  callback.state = parameters.state.value_or("");
  if (!parameters.error) callback.code = parameters.code.value_or("");
  callback.issuer = std::move(parameters.iss);
  std::string cookie(provider_cookie_of(call.request));
  CO_TRY(auto ended, co_await provider->end(std::move(cookie), std::move(callback), call.client()));
  auto response = see_other(std::move(ended.return_path));
  response.headers.emplace_back("Set-Cookie",
                                provider_cookie(call.request, "", std::chrono::seconds(0)));
  if (ended.session) {
    response.headers.emplace_back("Set-Cookie", session_cookie(call.request, ended.session->token));
    response.headers.emplace_back("Set-Cookie", device_cookie(call.request, ended.session->device));
    response.headers.emplace_back("Set-Cookie", provider_proof_cookie(call.request, ended.proof));
  }
  co_return response;
}

/// Back-Channel Logout 1.0, section 2.8.
http::Response logout_answer(unsigned status, const boost::json::value& body) {
  http::Response response;
  response.status = status;
  response.headers = {{"Cache-Control", "no-store"}};
  if (!body.is_null()) {
    response.headers.emplace_back("Content-Type", "application/json");
    response.body = boost::json::serialize(body);
  }
  return response;
}

http::Response logout_refusal(std::string_view why) {
  return logout_answer(400, {{"error", "invalid_request"}, {"error_description", why}});
}

Task<Result<std::string>> logout_token_in(const http::Request& request) {
  constexpr std::size_t kMostBytes = 64UL * 1024;
  CO_TRY(const auto text, co_await read_form(request, kMostBytes));
  CO_TRY(const auto form, http::Query::parse(text));
  CO_TRY(const auto token, form.get("logout_token"));
  if (!token) co_return fail(ErrorCode::invalid, "The form has no logout_token.");
  co_return std::string(*token);
}

Task<Result<http::Response>> end_provider_sessions(Call call, NoParameters) {
  CO_TRY(auto* const provider, provider_of(call));
  auto token = co_await logout_token_in(call.request);
  if (!token && token.error().code != ErrorCode::invalid) co_return failure_of(std::move(token));
  if (!token) co_return logout_refusal(token.error().message);
  const auto ended = co_await provider->end_sessions(*std::move(token));
  if (ended) co_return logout_answer(200, nullptr);
  if (ended.error().code != ErrorCode::unauthenticated) co_return failure_of(ended);
  co_return logout_refusal(ended.error().message);
}

Task<Result<Answer<std::vector<IdentityView>>>> list_identities(Call call, NoParameters, NoBody) {
  CO_TRY(auto found, co_await call.services.identities.list(call.principal().account->id));
  co_return Answer<std::vector<IdentityView>>{identity_views(std::move(found))};
}

Task<Result<void>> unlink_identity(Call call, EntryParameters parameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  co_return co_await call.services.identities.unlink(
      call.principal().account->id, std::move(parameters.id.value), asker_of(call.principal()));
}

}  // namespace

std::vector<Route> provider_routes() {
  using http::Method;
  return {
      json_route(
          Route(Method::get, "/api/v2/session/methods", "listSignInMethods",
                "Show how people may sign in", "For the page of the sign-in.", CallerRule::anyone),
          &list_methods),
      bytes_route(
          Route(Method::get, "/api/v2/session/oidc/start", "startProviderSignIn",
                "Go to the provider to sign in",
                "Redirects a browser to the provider, and sets a cookie for the way back: sign-ins "
                "end in the browser in which they began, within ten minutes.",
                CallerRule::anyone, 303, {404, 502, 504}),
          &start_sign_in),
      bytes_route(
          Route(
              Method::get, kProviderReturnPath, "endProviderSignIn", "Come back from the provider",
              "The provider redirects browsers to it. Sets the session's cookies and redirects to "
              "the page that the sign-in began for. 403 if the person may not sign in here.",
              CallerRule::anyone, 303, {404, 502, 504}),
          &end_sign_in),
      bytes_route(Route(Method::get, "/api/v2/session/oidc/confirm", "startProviderConfirmation",
                        "Go to the provider to confirm the session",
                        "As startProviderSignIn; the provider asks again who is there, and the "
                        "session is then confirmed (confirmSession). For accounts that are linked "
                        "with a person there.",
                        CallerRule::session, 303, {404, 502, 504}),
                  &start_confirmation),
      [] {
        Route route(Method::post, "/api/v2/session/oidc/backchannel-logout", "endProviderSessions",
                    "End sessions whose person signed out at the provider",
                    "Takes a form with a logout_token (OpenID Connect Back-Channel Logout 1.0). "
                    "200 also if there is no such session; 400, with the member error, if the "
                    "token is none or was used before.",
                    CallerRule::anyone, 200, {404, 502, 504});
        route.bytes_type = "application/x-www-form-urlencoded";
        return bytes_route(std::move(route), &end_provider_sessions);
      }(),
      json_route(Route(Method::get, "/api/v2/account/identities", "listIdentities",
                       "List the persons at the provider that sign in to the account",
                       "Oldest first.", CallerRule::session),
                 &list_identities),
      bytes_route(Route(Method::get, "/api/v2/account/identities/start", "startLink",
                        "Go to the provider to link the account with a person there",
                        "As startProviderSignIn; afterwards that person signs in to this account. "
                        "The session must have been confirmed.",
                        CallerRule::session, 303, {404, 502, 504}),
                  &start_link),
      json_route(Route(Method::del, "/api/v2/account/identities/{id}", "unlinkIdentity",
                       "Unlink a person at the provider",
                       "409 if nobody could sign in to the account any more. The session must have "
                       "been confirmed.",
                       CallerRule::session, 204, {404, 409}),
                 &unlink_identity)};
}

}  // namespace coffer::api::v2
