#include "backends/oidc/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "backends/oidc/json_members.h"
#include "base/encoding.h"

namespace coffer::oidc {
namespace {

namespace json = boost::json;

constexpr auto kWait = std::chrono::seconds(10);
constexpr std::size_t kLongestAnswer = 1024UL * 1024;

std::unexpected<Error> refuse_sign_in(std::string message) {
  return fail(ErrorCode::unauthenticated, std::move(message));
}

std::unexpected<Error> unusable_answer(std::string message) {
  return fail(ErrorCode::unavailable, std::move(message));
}

std::string with_query(const std::string& address, const FormFields& fields) {
  return fmt::format("{}{}{}", address, address.contains('?') ? '&' : '?', to_form(fields));
}

/// RFC 6749, section 5.2.
std::unexpected<Error> refusal_of(std::string_view word) {
  if (word == "invalid_client" || word == "unauthorized_client") {
    return unusable_answer(
        "The provider refuses this server as its client: look at the client's id and secret.");
  }
  if (word == "invalid_grant") {
    return refuse_sign_in("The provider refuses the code: one is good once and for a short time.");
  }
  return refuse_sign_in("The provider refuses the sign-in: look at the client's settings there.");
}

struct Tokens {
  std::string id;
  std::string access;  ///< Empty if there is none that can be shown as it is.
};

/// Reads the answer of the token endpoint (Core 1.0, section 3.1.3.3).
Result<Tokens> tokens_in(const curl::Answer& answer) {
  if (answer.status >= 500) return unusable_answer("The provider fails to give tokens.");
  const auto object = parse_object(answer.body);
  const bool is_redirect = answer.status >= 300 && answer.status < 400;
  if (!object || is_redirect) return unusable_answer("The provider's tokens are none.");
  if (const auto word = text_in(*object, "error")) return refusal_of(*word);
  auto id = text_in(*object, "id_token");
  if (answer.status != 200 || !id) return refuse_sign_in("The provider gives no ID token.");
  return Tokens{*std::move(id), text_in(*object, "access_token").value_or("")};
}

/// The value of a header cannot hold anything else.
bool is_bearer_token(std::string_view token) {
  return !token.empty() && std::ranges::all_of(token, [](char c) { return c > ' ' && c < 127; });
}

/// RFC 6749, section 2.3.1: id and secret are encoded as in a form.
std::string basic_credentials(const std::string& id, const std::string& secret) {
  const std::string encoded_id = to_form({{"", id}}).substr(1);
  const std::string encoded_secret = to_form({{"", secret}}).substr(1);
  return "Authorization: Basic " + to_base64(encoded_id + ":" + encoded_secret);
}

bool has_way(const Metadata& metadata, std::string_view way) {
  return std::ranges::count(metadata.client_authentication, way) > 0;
}

Result<void> check_answering_issuer(const Metadata& metadata, const AuthorizationAnswer& answer) {
  if (answer.issuer ? *answer.issuer == metadata.issuer : !metadata.names_issuer) return {};
  return refuse_sign_in("The answer comes from another provider (iss).");
}

}  // namespace

Provider::Provider(ProviderOptions options, Send send, const SteadyClock& clock)
    : options_(std::move(options)),
      send_(std::move(send)),
      metadata_([this] { return fetch_metadata(); }, clock),
      keys_([this] { return fetch_keys(); }, clock) {}

curl::Request Provider::request_for(const std::string& url, std::string server) const {
  curl::Request request;
  request.url = url;
  request.server = std::move(server);
  request.limit_bytes = kLongestAnswer;
  request.ca_file = options_.ca_file;
  request.deadlines.connect = kWait;
  request.deadlines.reply = kWait;
  request.deadlines.ending = options_.ending;
  return request;
}

Result<std::string> Provider::document_at(const std::string& url, std::string server) const {
  const curl::Request request = request_for(url, std::move(server));
  TRY(auto answer, send_(request));
  if (answer.status == 200) return std::move(answer.body);
  return unusable_answer(fmt::format("The status of {} is {}.", request.server, answer.status));
}

Result<Metadata> Provider::fetch_metadata() const {
  TRY(const auto text, document_at(metadata_address(options_.issuer), "the provider's metadata"));
  return parse_metadata(text, options_.issuer);
}

Result<Provider::KeySet> Provider::fetch_keys() {
  TRY(const auto metadata, metadata_.get());
  return fetch_keys(*metadata);
}

Result<std::vector<Jwk>> Provider::fetch_keys(const Metadata& metadata) const {
  TRY(const auto text, document_at(metadata.key_set, "the provider's keys"));
  return parse_key_set(text);
}

TokenRules Provider::rules() const {
  TokenRules rules;
  rules.issuer = options_.issuer;
  rules.client_id = options_.client_id;
  rules.at = now();
  return rules;
}

/// Parses a token and checks its signature. The provider may have other keys since they were
/// fetched, perhaps by the same name.
Result<Jws> Provider::verified(std::string_view token) {
  TRY(auto jws, parse_jws(token));
  TRY(auto keys, keys_.get());
  auto outcome = verify(jws, *keys);
  if (outcome != Verification::verified) outcome = verify(jws, *keys_.get_newer(keys));
  switch (outcome) {
    case Verification::verified:
      return jws;
    case Verification::no_such_key:
      return refuse_sign_in("The provider's token is signed by a key that is not the provider's.");
    case Verification::wrong_signature:
      break;
  }
  return refuse_sign_in("The signature of the provider's token is wrong.");
}

Result<std::string> Provider::authorization_address(const AuthorizationRequest& request) {
  TRY(const auto metadata, metadata_.get());
  FormFields fields = {{"response_type", "code"},
                       {"client_id", options_.client_id},
                       {"redirect_uri", request.redirect},
                       {"scope", options_.scopes},
                       {"state", request.state},
                       {"nonce", request.nonce},
                       {"code_challenge", request.challenge},
                       {"code_challenge_method", "S256"}};
  if (!request.prompt.empty()) fields.emplace_back("prompt", request.prompt);
  if (request.asks_again) fields.emplace_back("max_age", "0");
  return with_query(metadata->authorization_endpoint, fields);
}

Result<curl::Answer> Provider::ask_for_tokens(const Metadata& metadata,
                                              const AuthorizationAnswer& answer) {
  curl::Request request = request_for(metadata.token_endpoint, "the provider's token endpoint");
  request.form = {{"grant_type", "authorization_code"},
                  {"code", answer.code},
                  {"redirect_uri", answer.redirect},
                  {"code_verifier", answer.verifier}};
  if (options_.client_secret.empty()) {
    request.form->emplace_back("client_id", options_.client_id);
  } else if (has_way(metadata, "client_secret_basic")) {
    request.headers.push_back(basic_credentials(options_.client_id, options_.client_secret));
  } else if (has_way(metadata, "client_secret_post")) {
    request.form->emplace_back("client_id", options_.client_id);
    request.form->emplace_back("client_secret", options_.client_secret);
  } else {
    return unusable_answer("The provider takes clients neither by their secret nor without one.");
  }
  return send_(request);
}

/// Core 1.0, section 5.3.
Result<json::object> Provider::userinfo(const Metadata& metadata, const std::string& access_token,
                                        const std::string& subject) const {
  curl::Request request = request_for(metadata.userinfo_endpoint, "the provider's userinfo");
  request.headers = {"Authorization: Bearer " + access_token};
  TRY(const auto answer, send_(request));
  auto claims = answer.status == 200 ? parse_object(answer.body) : std::nullopt;
  if (!claims) return unusable_answer("The provider's userinfo is none.");
  if (id_in(*claims, "sub") != subject) {
    return refuse_sign_in("The provider's userinfo is of another person (sub).");
  }
  return *std::move(claims);
}

Result<SignedInPerson> Provider::exchange(const AuthorizationAnswer& answer) {
  TRY(const auto metadata, metadata_.get());
  TRY_VOID(check_answering_issuer(*metadata, answer));
  TRY(const auto given, ask_for_tokens(*metadata, answer));
  TRY(const auto tokens, tokens_in(given));
  TRY(const auto jws, verified(tokens.id));
  TokenRules wanted = rules();
  wanted.nonce = answer.nonce;
  wanted.access_token = tokens.access;
  TRY(const auto claims, check_id_token(jws, wanted));
  SignedInPerson signed_in;
  signed_in.issuer = options_.issuer;
  signed_in.subject = id_in(claims, "sub").value();
  signed_in.session = id_in(claims, "sid");
  if (const auto at_s = seconds_in(claims, "auth_time")) {
    signed_in.authenticated_at = timestamp_of(*at_s);
  }
  json::object more;
  if (!metadata->userinfo_endpoint.empty() && is_bearer_token(tokens.access) &&
      needs_userinfo(claims, options_.claims)) {
    TRY(more, userinfo(*metadata, tokens.access, signed_in.subject));
  }
  signed_in.person = person_of(claims, more, options_.claims);
  signed_in.id_token = tokens.id;
  return signed_in;
}

Result<SignedInPerson> Provider::describe(const json::object& claims) const {
  auto subject = id_in(claims, "sub");
  if (!subject) return fail(ErrorCode::invalid, "The claims name no person (sub).");
  if (claims.contains("iss") && text_in(claims, "iss") != options_.issuer) {
    return fail(ErrorCode::invalid, "The claims are those of another provider (iss).");
  }
  SignedInPerson described;
  described.issuer = options_.issuer;
  described.subject = *std::move(subject);
  described.person = person_of(claims, json::object(), options_.claims);
  return described;
}

Result<LogoutToken> Provider::read_logout_token(std::string_view token) {
  TRY(const auto jws, verified(token));
  return check_logout_token(jws, rules());
}

Result<std::string> Provider::logout_address(const std::string& return_to,
                                             const std::string& id_token) {
  TRY(const auto metadata, metadata_.get());
  if (metadata->end_session_endpoint.empty()) return std::string();
  FormFields fields = {{"client_id", options_.client_id}, {"post_logout_redirect_uri", return_to}};
  if (!id_token.empty()) fields.emplace_back("id_token_hint", id_token);
  return with_query(metadata->end_session_endpoint, fields);
}

}  // namespace coffer::oidc
