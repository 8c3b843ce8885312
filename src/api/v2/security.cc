#include "api/v2/route.h"
#include "api/v2/values.h"

namespace coffer::api::v2 {
namespace {

struct SecurityDetails {
  static constexpr std::string_view kSchema = "Security";
  FIELD(bool, hasPassword, "True if the account has a password to sign in with.", "true");
  FIELD(std::optional<Timestamp>, totpSince,
        "The time since which signing in takes a code of an authenticator, UTC; null if it takes "
        "none.",
        R"("2026-11-21T06:14:09")");
  FIELD(bool, hasSecondFactor,
        "True if the password alone is not enough: there is an authenticator or a passkey.",
        "true");
  FIELD(bool, isConfirmed, "True if the session is confirmed (confirmSession).", "true");
  FIELD(std::uint64_t, recoveryCodes, "The number of recovery codes that were not used.", "10");
};

Task<Result<Answer<SecurityDetails>>> show_security(Call call, NoParameters, NoBody) {
  CO_TRY(const auto factor, co_await call.services.second_factors.show(call.principal()));
  SecurityDetails details;
  CO_TRY(details.hasPassword,
         co_await call.services.sign_in.has_password(*call.principal().account));
  details.isConfirmed = core::check_confirmed(call.principal()).has_value();
  details.hasSecondFactor = factor.is_on();
  if (factor.has_totp()) details.totpSince = factor.totp->confirmed_at;
  details.recoveryCodes = factor.recovery_codes;
  co_return Answer<SecurityDetails>{std::move(details)};
}

struct TotpDetails {
  static constexpr std::string_view kSchema = "NewTotp";
  FIELD(std::string, secret, "What authenticator and server share, in base32, to be typed.",
        R"("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")");
  FIELD(std::string, uri, "The same as an otpauth address, for a QR code.",
        R"("otpauth://totp/Coffer:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Coffer")");
};

Task<Result<Answer<TotpDetails>>> begin_totp(Call call, NoParameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto made, co_await call.services.second_factors.begin_totp(call.principal()));
  co_return Answer<TotpDetails>{{std::move(made.secret), std::move(made.uri)}};
}

struct FirstCode {
  FIELD(Password, code, "The six digits that the authenticator shows.", R"("123456")");
};

struct RecoveryCodes {
  static constexpr std::string_view kSchema = "RecoveryCodes";
  FIELD(std::vector<std::string>, codes,
        "Each opens the account once in the place of the authenticator's code. They are in this "
        "answer and nowhere else.",
        R"(["k7xm2-9qpd4"])");
};

Task<Result<Answer<RecoveryCodes>>> confirm_totp(Call call, NoParameters, FirstCode body) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto codes, co_await call.services.second_factors.confirm_totp(
                         call.principal(), std::move(body.code.value)));
  co_return Answer<RecoveryCodes>{{std::move(codes)}};
}

Task<Result<void>> remove_totp(Call call, NoParameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  co_return co_await call.services.second_factors.remove_totp(call.principal());
}

Task<Result<Answer<RecoveryCodes>>> renew_codes(Call call, NoParameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto codes, co_await call.services.second_factors.renew_recovery_codes(call.principal()));
  co_return Answer<RecoveryCodes>{{std::move(codes)}};
}

struct AccountParameters {
  FIELD(NonEmpty<std::string>, name, "The account's user name.", R"("ann")");
};

Task<Result<void>> remove_second_factor(Call call, AccountParameters parameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  auto asker = core::administrator_of(call.principal());
  co_return co_await call.services.second_factors.remove_of(std::move(parameters.name.value),
                                                            std::move(asker));
}

}  // namespace

std::vector<Route> security_routes() {
  using http::Method;
  constexpr const char* kTotp = "/api/v2/account/totp";
  return {
      json_route(Route(Method::get, "/api/v2/account/security", "showSecurity",
                       "Show how the caller's account is signed in to",
                       "What it takes besides the password.", CallerRule::session),
                 &show_security),
      json_route(Route(Method::post, kTotp, "beginTotp", "Make an authenticator",
                       "A secret for a program that shows codes by time (RFC 6238: SHA-1, six "
                       "digits, 30 seconds). Signing in takes its codes once confirmTotp has seen "
                       "one. The session must be confirmed (confirmSession).",
                       CallerRule::session, 201, {409, 507}),
                 &begin_totp),
      json_route(Route(Method::post, "/api/v2/account/totp/confirm", "confirmTotp",
                       "Turn the second factor on",
                       "From then on signing in takes a code. Sessions stay. The session must be "
                       "confirmed (confirmSession).",
                       CallerRule::session, 200, {412, 507}),
                 &confirm_totp),
      json_route(
          Route(Method::del, kTotp, "removeTotp", "Turn the second factor off",
                "Without a passkey the recovery codes are removed too, and the password alone "
                "is enough. The session must be confirmed "
                "(confirmSession).",
                CallerRule::session, 204, {404, 507}),
          &remove_totp),
      json_route(Route(Method::post, "/api/v2/account/recovery-codes", "renewRecoveryCodes",
                       "Make new recovery codes",
                       "Those of before are no longer accepted. The session must be confirmed "
                       "(confirmSession).",
                       CallerRule::session, 200, {412, 507}),
                 &renew_codes)};
}

std::vector<Route> admin_security_routes() {
  return {json_route(Route(http::Method::del, "/api/v2/admin/accounts/{name}/second-factor",
                           "removeSecondFactor", "Turn an account's second factor off",
                           "Removes authenticator, passkeys and recovery codes, for one who has "
                           "lost them. A session must be "
                           "confirmed (confirmSession).",
                           CallerRule::administrator, 204, {404, 507}),
                     &remove_second_factor)};
}

}  // namespace coffer::api::v2
