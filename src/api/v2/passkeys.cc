#include <array>
#include <ranges>
#include <utility>
#include <vector>

#include "api/v2/passkey_json.h"
#include "api/v2/route.h"
#include "api/v2/session_answer.h"
#include "api/v2/values.h"

namespace coffer::api::v2 {
namespace {

using PasskeyName = BoundedText<1, 64>;

/// A number of IANA's registry of COSE algorithms.
struct CoseAlgorithm {
  std::int64_t value = 0;
  static boost::json::value answer_schema(Components&) { return {{"type", "integer"}}; }
};
void write_json(JsonWriter& out, const CoseAlgorithm& algorithm) {
  out.Int64(algorithm.value);
}

// Options of WebAuthn Level 3 (sections 5.4 and 5.5), in JSON.

struct RelyingPartyView {
  static constexpr std::string_view kSchema = "PasskeyRelyingParty";
  FIELD(std::string, id, "The domain of the server.", R"("files.example.org")");
  FIELD(std::string, name, "For people.", R"("Coffer")");
};

struct PasskeyUserView {
  static constexpr std::string_view kSchema = "PasskeyUser";
  FIELD(std::string, id, "The account, in base64url.", R"("AMMPt4UxxGTStncdq417YA")");
  FIELD(std::string, name, "The name to sign in with.", R"("ann")");
  FIELD(std::string, displayName, "The name shown to people.", R"("Ann")");
};

struct CredentialParametersView {
  static constexpr std::string_view kSchema = "PasskeyParameters";
  FIELD(std::string, type, "Always public-key.", R"("public-key")");
  FIELD(CoseAlgorithm, alg, "-8 (EdDSA), -7 (ES256) or -257 (RS256).", "-7");
};

struct CredentialDescriptorView {
  static constexpr std::string_view kSchema = "PasskeyDescriptor";
  FIELD(std::string, type, "Always public-key.", R"("public-key")");
  FIELD(std::string, id, "The passkey, in base64url.", R"("-R85HbTJsv3g6nAYnLo_tg")");
  FIELD(std::vector<std::string>, transports, "How the browser reaches it.", R"(["internal"])");
};

struct AuthenticatorSelectionView {
  static constexpr std::string_view kSchema = "PasskeySelection";
  FIELD(std::string, residentKey, "Always required: nobody types a name.", R"("required")");
  FIELD(bool, requireResidentKey, "Always true; for older browsers.", "true");
  FIELD(std::string, userVerification, "Always required.", R"("required")");
};

struct CreationOptions {
  static constexpr std::string_view kSchema = "PasskeyCreationOptions";
  FIELD(RelyingPartyView, rp, "This server.", R"({"id":"files.example.org","name":"Coffer"})");
  FIELD(PasskeyUserView, user, "The account.",
        R"({"id":"AMMPt4UxxGTStncdq417YA","name":"ann","displayName":"Ann"})");
  FIELD(std::string, challenge, "Counts once, for five minutes.", R"("q80…")");
  FIELD(std::vector<CredentialParametersView>, pubKeyCredParams,
        "The kinds of keys that are taken.", R"([{"type":"public-key","alg":-7}])");
  FIELD(std::uint64_t, timeout, "In milliseconds.", "300000");
  FIELD(std::vector<CredentialDescriptorView>, excludeCredentials,
        "The account's passkeys, none of which is made twice.", "[]");
  FIELD(AuthenticatorSelectionView, authenticatorSelection, "What a passkey must be able to do.",
        R"({"residentKey":"required","requireResidentKey":true,"userVerification":"required"})");
  FIELD(std::string, attestation, "Always none.", R"("none")");
};

struct RequestOptions {
  static constexpr std::string_view kSchema = "PasskeyRequestOptions";
  FIELD(std::string, challenge, "Counts once, for five minutes.", R"("q80…")");
  FIELD(std::string, rpId, "The domain of the server.", R"("files.example.org")");
  FIELD(std::uint64_t, timeout, "In milliseconds.", "300000");
  FIELD(std::vector<CredentialDescriptorView>, allowCredentials,
        "The passkeys that may be shown; empty: any.", "[]");
  FIELD(std::string, userVerification, "Always required.", R"("required")");
};

constexpr std::uint64_t kPasskeyTimeoutMs = 300'000;

std::vector<CredentialDescriptorView> descriptors_of(
    const std::vector<catalog::Passkey>& passkeys) {
  std::vector<CredentialDescriptorView> views;
  for (const catalog::Passkey& passkey : passkeys) {
    CredentialDescriptorView view{"public-key", passkey.credential_id, {}};
    for (const auto word : passkey.transports | std::views::split(',')) {
      if (!word.empty()) view.transports.emplace_back(word.begin(), word.end());
    }
    views.push_back(std::move(view));
  }
  return views;
}

struct PasskeyView {
  static constexpr std::string_view kSchema = "Passkey";
  FIELD(std::string, id, "Identifier, used to rename and remove it.", R"("5f0c2a9d1b7e4c38")");
  FIELD(std::string, credentialId, "Its id for browsers, in base64url.",
        R"("-R85HbTJsv3g6nAYnLo_tg")");
  FIELD(std::string, name, "The name that its owner gave it.", R"("Phone")");
  FIELD(std::string, aaguid, "The model of what keeps it; 32 zeros if it does not say.",
        R"("00000000000000000000000000000000")");
  FIELD(bool, isBackedUp, "True if it is kept on more than one device.", "true");
  FIELD(Timestamp, createdAt, "The time at which it was added, UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<Timestamp>, lastUsedAt, "The last use, UTC; null if there was none.", "null");
  FIELD(std::optional<Timestamp>, counterFellAt,
        "When it last showed a count of uses that was not above an earlier one, UTC: it may have "
        "been copied. Null if it never did.",
        "null");
};

PasskeyView passkey_view(catalog::Passkey passkey) {
  PasskeyView view;
  view.id = std::move(passkey.id);
  view.credentialId = std::move(passkey.credential_id);
  view.name = std::move(passkey.name);
  view.aaguid = std::move(passkey.aaguid);
  view.isBackedUp = passkey.is_backed_up;
  view.createdAt = passkey.created_at;
  if (passkey.used_at != passkey.created_at) view.lastUsedAt = passkey.used_at;
  if (passkey.counter_fell_at != Timestamp()) view.counterFellAt = passkey.counter_fell_at;
  return view;
}

Task<Result<Answer<std::vector<PasskeyView>>>> list_passkeys(Call call, NoParameters, NoBody) {
  CO_TRY(auto found, co_await call.services.passkeys.list(call.principal()));
  std::vector<PasskeyView> views;
  for (catalog::Passkey& one : found) views.push_back(passkey_view(std::move(one)));
  co_return Answer<std::vector<PasskeyView>>{std::move(views)};
}

Task<Result<Answer<CreationOptions>>> begin_passkey(Call call, NoParameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto domain, passkey_domain(call));
  CO_TRY(auto begun, co_await call.services.passkeys.begin_registration(call.principal()));
  const catalog::Account& account = *call.principal().account;
  CreationOptions options;
  options.rp = {std::move(domain.rp_id), "Coffer"};
  options.user = {std::move(begun.user_id), account.name, account.display_name};
  options.challenge = std::move(begun.challenge);
  for (const std::int64_t algorithm : begun.algorithms) {
    options.pubKeyCredParams.push_back({"public-key", {algorithm}});
  }
  options.timeout = kPasskeyTimeoutMs;
  options.excludeCredentials = descriptors_of(begun.passkeys);
  options.authenticatorSelection = {"required", true, "required"};
  options.attestation = "none";
  co_return Answer<CreationOptions>{std::move(options)};
}

struct NewPasskeyBody {
  FIELD(PasskeyName, name, "A name for its owner: 1 to 64 characters.", R"("Phone")");
  FIELD(MadeCredential, credential,
        "The passkey, as navigator.credentials.create() answers with the options of beginPasskey.",
        kCredentialExample);
};

struct AddedPasskey {
  static constexpr std::string_view kSchema = "AddedPasskey";
  FIELD(
      PasskeyView, passkey, "The passkey.",
      R"({"id":"5f0c2a9d1b7e4c38","credentialId":"-R85HbTJsv3g6nAYnLo_tg","name":"Phone","aaguid":"00000000000000000000000000000000","isBackedUp":true,"createdAt":"2026-11-21T06:14:09","lastUsedAt":null,"counterFellAt":null})");
  FIELD(std::optional<std::vector<std::string>>, recoveryCodes,
        "With the first passkey the password alone opens the account no more. Each of these codes "
        "then does once for a passkey. They are in this answer and nowhere else. Null if the "
        "account had a second factor before.",
        R"(["k7xm2-9qpd4"])");
};

Task<Result<Answer<AddedPasskey>>> add_passkey(Call call, NoParameters, NewPasskeyBody body) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(auto domain, passkey_domain(call));
  CO_TRY(auto added, co_await call.services.passkeys.add(call.principal(), std::move(domain),
                                                         std::move(body.name.value),
                                                         std::move(body.credential.value)));
  AddedPasskey view;
  view.passkey = passkey_view(std::move(added.passkey));
  if (!added.recovery_codes.empty()) view.recoveryCodes = std::move(added.recovery_codes);
  co_return Answer<AddedPasskey>{std::move(view)};
}

struct PasskeyChanges {
  FIELD(PasskeyName, name, "1 to 64 characters.", R"("Phone")");
};

Task<Result<void>> rename_passkey(Call call, EntryParameters parameters, PasskeyChanges body) {
  co_return co_await call.services.passkeys.rename(call.principal(), std::move(parameters.id.value),
                                                   std::move(body.name.value));
}

Task<Result<void>> remove_passkey(Call call, EntryParameters parameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  co_return co_await call.services.passkeys.remove(call.principal(),
                                                   std::move(parameters.id.value));
}

struct PasskeySignInStart {
  FIELD(std::optional<NonEmpty<std::string>>, challenge,
        "From the answer to a password: then the options name that account's passkeys.",
        R"("q80…")");
};

Task<Result<Answer<RequestOptions>>> begin_passkey_sign_in(Call call, NoParameters,
                                                           PasskeySignInStart body) {
  CO_TRY(auto domain, passkey_domain(call));
  std::optional<std::string> challenge;
  if (body.challenge) challenge = std::move(body.challenge->value);
  CO_TRY(auto begun, co_await call.services.passkeys.begin_sign_in(std::move(challenge)));
  RequestOptions options;
  options.challenge = std::move(begun.challenge);
  options.rpId = std::move(domain.rp_id);
  options.timeout = kPasskeyTimeoutMs;
  options.allowCredentials = descriptors_of(begun.passkeys);
  options.userVerification = "required";
  co_return Answer<RequestOptions>{std::move(options)};
}

struct PasskeySignIn {
  FIELD(ShownCredential, credential,
        "The passkey, as navigator.credentials.get() answers with the options of "
        "beginPasskeySignIn.",
        kCredentialExample);
};

Task<Result<Answer<SessionDetails>>> sign_in_with_passkey(Call call, NoParameters,
                                                          PasskeySignIn body) {
  CO_TRY(auto domain, passkey_domain(call));
  CO_TRY(auto signed_in, co_await call.services.passkeys.sign_in(
                             std::move(domain), std::move(body.credential.value), call.client()));
  co_return co_await signed_in_answer(std::move(call), std::move(signed_in));
}

}  // namespace

std::vector<Route> passkey_routes() {
  using http::Method;
  constexpr const char* kPasskeys = "/api/v2/account/passkeys";
  constexpr const char* kPasskey = "/api/v2/account/passkeys/{id}";
  return {
      json_route(Route(Method::post, "/api/v2/session/passkey/options", "beginPasskeySignIn",
                       "Ask for a passkey",
                       "Options for navigator.credentials.get(): for a sign-in, for the second "
                       "step after a password, or to confirm a session (confirmSession). 404 where "
                       "passkeys are turned off or browsers would offer none.",
                       CallerRule::anyone, 200, {404}),
                 &begin_passkey_sign_in),
      json_route(Route(Method::post, "/api/v2/session/passkey", "signInWithPasskey",
                       "Sign in with a passkey",
                       "Nothing else is asked for: a passkey has verified its person. Sets the "
                       "cookies as signIn does. Failures slow their address.",
                       CallerRule::anyone, 200, {404}),
                 &sign_in_with_passkey),
      json_route(Route(Method::get, kPasskeys, "listPasskeys", "List the caller's passkeys",
                       "Oldest first.", CallerRule::session),
                 &list_passkeys),
      json_route(Route(Method::post, "/api/v2/account/passkeys/options", "beginPasskey",
                       "Ask for a new passkey",
                       "Options for navigator.credentials.create(). The session must be confirmed "
                       "(confirmSession).",
                       CallerRule::session, 200, {404}),
                 &begin_passkey),
      json_route(Route(Method::post, kPasskeys, "addPasskey", "Add a passkey",
                       "From then on it opens the account, and the password alone does not. The "
                       "session must be confirmed (confirmSession).",
                       CallerRule::session, 201, {404, 409, 507}),
                 &add_passkey),
      json_route(Route(Method::patch, kPasskey, "renamePasskey", "Rename a passkey", "",
                       CallerRule::session, 204, {404, 507}),
                 &rename_passkey),
      json_route(Route(Method::del, kPasskey, "removePasskey", "Remove a passkey",
                       "With the last one, and no authenticator, the recovery codes go too, and "
                       "the password alone is enough. 409 if nobody could sign in to the account "
                       "any more. The session must be confirmed (confirmSession).",
                       CallerRule::session, 204, {404, 409, 507}),
                 &remove_passkey)};
}

}  // namespace coffer::api::v2
