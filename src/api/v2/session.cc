#include "api/v2/session.h"

#include "api/v2/names.h"

namespace coffer::api {

namespace v2 {

struct SignIn {
  TypedName userName;
  Password password;
};
BOOST_DESCRIBE_STRUCT(SignIn, (), (userName, password))

}  // namespace v2

template <>
struct Docs<v2::SignIn> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"userName", "The account's name.", R"("ann")"},
      {"password", "Its password.", R"("correct horse")"},
  }};
};

namespace v2 {
namespace {

Task<Result<Answer<SessionDetails>>> sign_in(Call call, NoParameters, SignIn body) {
  auto signed_in = co_await call.services.sign_in.sign_in(
      std::move(body.userName.value), std::move(body.password.value), call.client());
  if (!signed_in) co_return failure_of(std::move(signed_in));
  co_return co_await signed_in_answer(std::move(call), *std::move(signed_in));
}

Task<Result<SessionDetails>> details_of(Services& services, const core::Principal& principal,
                                        std::string_view token) {
  auto account = co_await account_details(services, principal);
  if (!account) co_return failure_of(std::move(account));
  co_return SessionDetails{*std::move(account), core::csrf_token_of(token)};
}

Task<Result<Answer<SessionDetails>>> show_session(Call call, NoParameters, NoBody) {
  const std::string token(session_token_of(call.request).value());
  auto details = co_await details_of(call.services, call.principal(), token);
  if (!details) co_return failure_of(std::move(details));
  co_return Answer<SessionDetails>{*std::move(details)};
}

Task<Result<Answer<Nothing>>> sign_out(Call call, NoParameters, NoBody) {
  auto ended = co_await call.services.sign_in.sign_out(call.principal());
  if (!ended && ended.error().code != ErrorCode::not_found) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{{}, {{"Set-Cookie", session_cookie(call.request, "")}}};
}

}  // namespace

Task<Result<Answer<SessionDetails>>> signed_in_answer(Call call, core::SignedIn signed_in) {
  auto details = co_await details_of(call.services, signed_in.principal, signed_in.token);
  if (!details) co_return failure_of(std::move(details));
  co_return Answer<SessionDetails>{*std::move(details),
                                   {{"Set-Cookie", session_cookie(call.request, signed_in.token)}}};
}

std::vector<Route> session_routes() {
  using http::Method;
  Route in{Method::post, "/api/v2/session", "signIn", "Sign in",
           "Gives the session's cookie. After too many failures, of an account or from an address, "
           "the next ones have to wait: 429 with Retry-After."};
  in.rule = CallerRule::anyone;
  in.errors = {429};
  Route show_route{Method::get, "/api/v2/session", "showSession", "Show who is signed in",
                   "The same as the answer of signing in."};
  show_route.rule = CallerRule::session;
  Route out{Method::del, "/api/v2/session", "signOut", "Sign out",
            "When the answer arrives, the session opens nothing any more."};
  out.rule = CallerRule::session;
  out.success = 204;
  return {json_route(in, &sign_in), json_route(show_route, &show_session),
          json_route(out, &sign_out)};
}

}  // namespace v2
}  // namespace coffer::api
