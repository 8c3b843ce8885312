#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "api/model.h"
#include "api/v2/passkey_json.h"
#include "api/v2/route.h"
#include "api/v2/session_answer.h"
#include "api/v2/values.h"
#include "core/identity/provider_sign_in.h"

namespace coffer::api::v2 {
namespace {

struct AccountChanges {
  FIELD(std::optional<DisplayName>, displayName, "1 to 100 characters without control characters.",
        R"("Ann")");
  FIELD(std::optional<AnyObject>, preferences, "Replaces the whole object.", R"({"view":"grid"})");
};

struct PasswordChange {
  FIELD(Password, current, "The present password.", R"("correct horse")");
  FIELD(Password, new_, "8 to 1024 bytes.", R"("battery staple")");
};

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
  // With a second factor the password alone must not be enough to keep its owner out.
  CO_TRY(const auto factor, co_await call.services.second_factors.show(call.principal()));
  if (factor.is_on()) {
    CO_TRY_VOID(core::check_confirmed(call.principal()));
  }
  CO_TRY(const auto device, co_await call.services.sign_in.change_password(
                                call.principal(), std::move(body.current.value),
                                std::move(body.new_.value), device_cookie_of(call.request)));
  co_return Answer<Nothing>{{}, {{"Set-Cookie", device_cookie(call.request, device)}}};
}

/// The answer to a password that is not enough.
struct SecondFactorWanted {
  static constexpr std::string_view kSchema = "SecondFactorWanted";
  FIELD(std::vector<std::string>, secondFactor,
        "What is asked for besides the password, one of: the code of an authenticator (totp), a "
        "passkey (passkey, see beginPasskeySignIn), one of the recovery codes (recovery).",
        R"(["totp","recovery"])");
  FIELD(std::string, challenge, "Send it with the code within five minutes.", R"("q80…")");
};

/// A session, or what is asked for before.
struct SignInAnswer {
  std::variant<SessionDetails, SecondFactorWanted> which;

  static boost::json::value answer_schema(Components& components) {
    boost::json::array any;
    any.push_back(schema_of<SessionDetails>(components));
    any.push_back(schema_of<SecondFactorWanted>(components));
    return {{"oneOf", std::move(any)}};
  }
};

inline void write_json(JsonWriter& out, const SignInAnswer& answer) {
  std::visit([&](const auto& which) { api::write_json(out, which); }, answer.which);
}

struct SignIn {
  FIELD(TypedName, userName, "The account's name.", R"("ann")");
  FIELD(Password, password, "Its password.", R"("correct horse")");
};

Task<Result<Answer<SignInAnswer>>> sign_in(Call call, NoParameters, SignIn body) {
  CO_TRY(auto outcome,
         co_await call.services.second_factors.sign_in(
             std::move(body.userName.value), std::move(body.password.value), call.client()));
  if (auto* const challenge = std::get_if<core::SecondFactorChallenge>(&outcome)) {
    SecondFactorWanted wanted{{}, std::move(challenge->token)};
    if (challenge->has_totp) wanted.secondFactor.emplace_back("totp");
    if (challenge->has_passkey) wanted.secondFactor.emplace_back("passkey");
    wanted.secondFactor.emplace_back("recovery");
    co_return Answer<SignInAnswer>{{std::move(wanted)}};
  }
  core::SignedIn signed_in = std::get<core::SignedIn>(std::move(outcome));
  CO_TRY(auto answer, co_await signed_in_answer(std::move(call), std::move(signed_in)));
  co_return Answer<SignInAnswer>{{std::move(answer.data)}, std::move(answer.headers)};
}

struct SecondStep {
  FIELD(NonEmpty<std::string>, challenge, "From the answer to the password.", R"("q80…")");
  FIELD(Password, code, "Six digits of the authenticator, or a recovery code.", R"("123456")");
};

Task<Result<Answer<SessionDetails>>> complete_sign_in(Call call, NoParameters, SecondStep body) {
  CO_TRY(auto signed_in,
         co_await call.services.second_factors.complete(std::move(body.challenge.value),
                                                        std::move(body.code.value), call.client()));
  co_return co_await signed_in_answer(std::move(call), std::move(signed_in));
}

struct Confirmation {
  FIELD(std::optional<Password>, password, "The account's password, if no passkey is shown.",
        R"("correct horse")");
  FIELD(std::optional<Password>, code,
        "Needed if the account has a second factor: six digits of the authenticator, or a recovery "
        "code.",
        R"("123456")");
  FIELD(std::optional<ShownCredential>, credential,
        "A passkey of the account, as navigator.credentials.get() answers it with the options of "
        "beginPasskeySignIn, in place of password and code.",
        kCredentialExample);
};

Task<Result<void>> confirm_session(Call call, NoParameters, Confirmation body) {
  if (body.credential) {
    CO_TRY(auto domain, passkey_domain(call));
    co_return co_await call.services.passkeys.confirm(call.principal(), std::move(domain),
                                                      std::move(body.credential->value));
  }
  if (!body.password) {
    co_return fail(ErrorCode::invalid, "Either \"password\" or \"credential\" is needed.");
  }
  std::optional<std::string> code;
  if (body.code) code = std::move(body.code->value);
  co_return co_await call.services.second_factors.confirm(
      call.principal(), std::move(body.password->value), std::move(code));
}

Task<Result<Answer<SessionDetails>>> show_session(Call call, NoParameters, NoBody) {
  const std::string token(session_token_of(call.request).value());
  CO_TRY(auto details, co_await session_details(call.services, call.principal(), token));
  co_return Answer<SessionDetails>{std::move(details)};
}

struct SignedOutView {
  static constexpr std::string_view kSchema = "SignedOut";
  FIELD(std::optional<std::string>, logoutUrl,
        "If the session began at a provider: the address for signing out there too, if it has one.",
        R"("https://id.example.org/logout")");
};

Task<Result<Answer<SignedOutView>>> sign_out(Call call, NoParameters, NoBody) {
  auto ended = co_await call.services.sign_in.sign_out(call.principal());
  if (!ended && ended.error().code != ErrorCode::not_found) co_return failure_of(std::move(ended));
  SignedOutView view;
  auto* const provider = call.services.provider_sign_in;
  if (provider != nullptr && call.principal().session->method == catalog::SignInMethod::oidc) {
    // A provider that is down does not keep anybody here.
    std::string proof(provider_proof_of(call.request));
    auto address = co_await provider->logout_address(std::move(proof));
    if (address && !address->empty()) view.logoutUrl = *std::move(address);
  }
  Answer<SignedOutView> answer{std::move(view), {{"Set-Cookie", session_cookie(call.request, "")}}};
  if (!provider_proof_of(call.request).empty()) {
    answer.headers.emplace_back("Set-Cookie", provider_proof_cookie(call.request, ""));
  }
  co_return answer;
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
  catalog::SessionOrigin origin{catalog::SignInMethod::setup_link};
  std::optional<catalog::UsedFactor> no_factor;
  CO_TRY(auto signed_in, co_await call.services.sign_in.open_session(
                             account, std::move(origin), std::move(no_factor), call.client()));
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
      json_route(Route(Method::post, "/api/v2/account/password", "changePassword",
                       "Change the caller's password",
                       "Ends the account's other sessions. Keys stay. With a second factor the "
                       "session must be confirmed (confirmSession).",
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
                "Retry-After. Failures of others delay no browser that is known. If the account "
                "has a second factor, the answer asks for it and sets no cookie.",
                CallerRule::anyone),
          &sign_in),
      json_route(Route(Method::post, "/api/v2/session/second-factor", "completeSignIn",
                       "Sign in with a code",
                       "The second step for accounts with a second factor. Each code counts once; "
                       "wrong ones are counted like wrong passwords.",
                       CallerRule::anyone),
                 &complete_sign_in),
      json_route(Route(Method::get, "/api/v2/session", "showSession", "Show who is signed in",
                       "The same answer as for signing in.", CallerRule::session),
                 &show_session),
      json_route(Route(Method::post, "/api/v2/session/confirm", "confirmSession",
                       "Show again who is signed in",
                       "For ten minutes after this, and after signing in, the session may change "
                       "who may use an account. Without it such requests are refused: 403 with the "
                       "code unconfirmed. Keys need no confirmation.",
                       CallerRule::session, 204),
                 &confirm_session),
      json_route(
          Route(Method::del, "/api/v2/session", "signOut", "Sign out",
                "Once the answer arrives, the session is no longer accepted.", CallerRule::session),
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
