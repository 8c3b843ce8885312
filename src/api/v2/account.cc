#include <memory>
#include <utility>
#include <vector>

#include "api/model.h"
#include "api/v2/route.h"
#include "api/v2/values.h"

namespace coffer::api::v2 {
namespace {

/// An account as it sees itself.
struct AccountDetails {
  static constexpr std::string_view kSchema = "Account";
  FIELD(std::string, userName, "The name to sign in with.", R"("ann")");
  FIELD(std::string, displayName, "The name shown to people.", R"("Ann")");
  FIELD(catalog::Role, role, "admin or user.", R"("user")");
  FIELD(std::uint64_t, storageUsed, "Bytes in the account's own files.", "1536");
  FIELD(std::uint64_t, storageReserved,
        "Bytes of the quota that unfinished uploads and writes under way have reserved.", "0");
  FIELD(std::uint64_t, storageLimit, "The quota in bytes; 0 means unlimited.", "10737418240");
  FIELD(AnyObject, preferences, "Any data that clients store for the account.", "{}");
};

struct AccountChanges {
  FIELD(std::optional<DisplayName>, displayName, "1 to 100 characters without control characters.",
        R"("Ann")");
  FIELD(std::optional<AnyObject>, preferences, "Replaces the whole object.", R"({"view":"grid"})");
};

struct PasswordChange {
  FIELD(Password, current, "The present password.", R"("correct horse")");
  FIELD(Password, new_, "8 to 1024 bytes.", R"("battery staple")");
};

Task<Result<AccountDetails>> account_details(Services& services, const core::Principal& principal) {
  CO_TRY(const auto usage, co_await services.accounts.usage(principal));
  AccountDetails details;
  details.userName = principal.account->name;
  details.displayName = principal.account->display_name;
  details.role = principal.account->role;
  details.storageUsed = usage.used_bytes;
  details.storageReserved = usage.reserved_bytes;
  details.storageLimit = usage.limit_bytes;
  details.preferences.value = boost::json::parse(principal.account->preferences).as_object();
  co_return details;
}

Task<Result<Answer<AccountDetails>>> show_account(Call call, NoParameters, NoBody) {
  CO_TRY(auto details, co_await account_details(call.services, call.principal()));
  co_return Answer<AccountDetails>{std::move(details)};
}

Task<Result<Answer<AccountDetails>>> change_account(Call call, NoParameters, AccountChanges body) {
  core::AccountPatch patch;
  if (body.displayName) patch.display_name = std::move(body.displayName->value);
  if (body.preferences) patch.preferences = boost::json::serialize(body.preferences->value);
  CO_TRY(auto changed,
         co_await call.services.accounts.change_own(call.principal(), std::move(patch)));
  core::Principal now = call.principal();
  now.account = std::make_shared<const catalog::Account>(std::move(changed));
  CO_TRY(auto details, co_await account_details(call.services, now));
  co_return Answer<AccountDetails>{std::move(details)};
}

Task<Result<Answer<Nothing>>> change_password(Call call, NoParameters, PasswordChange body) {
  CO_TRY(const auto device, co_await call.services.sign_in.change_password(
                                call.principal(), std::move(body.current.value),
                                std::move(body.new_.value), device_cookie_of(call.request)));
  co_return Answer<Nothing>{{}, {{"Set-Cookie", device_cookie(call.request, device)}}};
}

/// The answer of a sign-in.
struct SessionDetails {
  static constexpr std::string_view kSchema = "Session";
  FIELD(
      AccountDetails, account, "The account that is signed in.",
      R"({"userName":"ann","displayName":"Ann","role":"user","storageUsed":0,"storageReserved":0,"storageLimit":0,"preferences":{}})");
  FIELD(std::string, csrfToken,
        "Send it as X-CSRF-Token with every request of the session that changes something.",
        R"("0000000000000000000000000000000000000000000000000000000000000000")");
};

struct SignIn {
  FIELD(TypedName, userName, "The account's name.", R"("ann")");
  FIELD(Password, password, "Its password.", R"("correct horse")");
};

Task<Result<SessionDetails>> details_of(Services& services, const core::Principal& principal,
                                        std::string_view token) {
  CO_TRY(auto account, co_await account_details(services, principal));
  co_return SessionDetails{std::move(account), core::csrf_token_of(token)};
}

/// The answer of a sign-in, with the cookies.
Task<Result<Answer<SessionDetails>>> signed_in_answer(Call call, core::SignedIn signed_in) {
  CO_TRY(auto details, co_await details_of(call.services, signed_in.principal, signed_in.token));
  co_return Answer<SessionDetails>{std::move(details),
                                   {{"Set-Cookie", session_cookie(call.request, signed_in.token)},
                                    {"Set-Cookie", device_cookie(call.request, signed_in.device)}}};
}

Task<Result<Answer<SessionDetails>>> sign_in(Call call, NoParameters, SignIn body) {
  CO_TRY(auto signed_in,
         co_await call.services.sign_in.sign_in(std::move(body.userName.value),
                                                std::move(body.password.value), call.client()));
  co_return co_await signed_in_answer(std::move(call), std::move(signed_in));
}

Task<Result<Answer<SessionDetails>>> show_session(Call call, NoParameters, NoBody) {
  const std::string token(session_token_of(call.request).value());
  CO_TRY(auto details, co_await details_of(call.services, call.principal(), token));
  co_return Answer<SessionDetails>{std::move(details)};
}

Task<Result<Answer<Nothing>>> sign_out(Call call, NoParameters, NoBody) {
  auto ended = co_await call.services.sign_in.sign_out(call.principal());
  if (!ended && ended.error().code != ErrorCode::not_found) co_return failure_of(std::move(ended));
  co_return Answer<Nothing>{{}, {{"Set-Cookie", session_cookie(call.request, "")}}};
}

struct SetupState {
  static constexpr std::string_view kSchema = "Setup";
  FIELD(bool, open, "True as long as there is no account.", "false");
};

struct FirstAccount {
  FIELD(NonEmpty<std::string>, token, "From the link that the server printed when it started.",
        R"("00000000000000000000000000000000")");
  FIELD(UserName, userName,
        "The name to sign in with: 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", beginning with a "
        "letter or digit.",
        R"("ann")");
  FIELD(Password, password, "8 to 1024 bytes.", R"("correct horse")");
  FIELD(std::optional<DisplayName>, displayName,
        "The name shown to people; the user name by default.", R"("Ann")");
};

Task<Result<Answer<SetupState>>> show_setup(Call call, NoParameters, NoBody) {
  CO_TRY(const auto open, co_await call.services.accounts.is_setup_open());
  co_return Answer<SetupState>{{open}};
}

Task<Result<Answer<SessionDetails>>> complete_setup(Call call, NoParameters, FirstAccount body) {
  core::AccountPatch patch;
  patch.password = {std::move(body.password.value), call.password_asker()};
  if (body.displayName) patch.display_name = std::move(body.displayName->value);
  CO_TRY(const auto account,
         co_await call.services.accounts.set_up(body.token.value, std::move(body.userName.value),
                                                std::move(patch)));
  CO_TRY(auto signed_in, co_await call.services.sign_in.open_session(account, call.client()));
  co_return co_await signed_in_answer(std::move(call), std::move(signed_in));
}

}  // namespace

std::vector<Route> account_routes() {
  using http::Method;
  return {
      json_route(
          Route(Method::get, "/api/v2/account", "showAccount", "Show the caller's account",
                "Its names, role, storage used and quota, and the data that its clients store."),
          &show_account),
      json_route(Route(Method::patch, "/api/v2/account", "changeAccount",
                       "Change the caller's account", "Missing members stay unchanged."),
                 &change_account),
      json_route(
          Route(Method::post, "/api/v2/account/password", "changePassword",
                "Change the caller's password", "Ends the account's other sessions. Keys stay.",
                CallerRule::session, 204, {409}),
          &change_password)};
}

std::vector<Route> session_routes() {
  using http::Method;
  return {
      json_route(
          Route(Method::post, "/api/v2/session", "signIn", "Sign in",
                "Sets the session's cookie, and one by which the browser is known the next time. "
                "After too many failures further attempts are refused for a while: 429 with "
                "Retry-After. Failures of others delay no browser that is known.",
                CallerRule::anyone),
          &sign_in),
      json_route(Route(Method::get, "/api/v2/session", "showSession", "Show who is signed in",
                       "The same answer as for signing in.", CallerRule::session),
                 &show_session),
      json_route(Route(Method::del, "/api/v2/session", "signOut", "Sign out",
                       "Once the answer arrives, the session is no longer accepted.",
                       CallerRule::session, 204),
                 &sign_out)};
}

std::vector<Route> setup_routes() {
  using http::Method;
  return {json_route(Route(Method::get, "/api/v2/setup", "showSetup", "Show whether set-up is open",
                           "Set-up is open as long as there is no account.", CallerRule::anyone),
                     &show_setup),
          json_route(
              Route(Method::post, "/api/v2/setup", "completeSetup", "Make the first administrator",
                    "Signs the account in, and closes set-up for good.", CallerRule::anyone, 200,
                    {507}),
              &complete_setup)};
}

}  // namespace coffer::api::v2
