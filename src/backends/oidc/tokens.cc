#include "backends/oidc/tokens.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

#include "backends/oidc/json_members.h"
#include "backends/oidc/openssl_objects.h"
#include "base/encoding.h"
#include "base/text.h"

namespace coffer::oidc {
namespace {

namespace json = boost::json;

constexpr std::int64_t kLeewayS = 60;
constexpr std::int64_t kLongestLogoutS = 3600;
constexpr std::size_t kLongestId = 255;
constexpr const char* kLogoutEvent = "http://schemas.openid.net/event/backchannel-logout";

std::unexpected<Error> refuse_token(std::string message) {
  return fail(ErrorCode::unauthenticated, std::move(message));
}

bool is_listed(const json::value& listed, std::string_view wanted) {
  if (listed.is_string()) return listed.get_string() == wanted;
  if (!listed.is_array()) return false;
  return std::ranges::any_of(listed.get_array(), [&](const json::value& one) {
    return one.is_string() && one.get_string() == wanted;
  });
}

Result<void> check_audience(const json::object& claims, std::string_view client_id) {
  const json::value* const audience = claims.if_contains("aud");
  if (audience == nullptr || !is_listed(*audience, client_id)) {
    return refuse_token("The provider's token is for another client (aud).");
  }
  const bool is_for_several = audience->is_array() && audience->get_array().size() > 1;
  const json::value* const party = claims.if_contains("azp");
  if (party == nullptr ? is_for_several : !party->is_string() || party->get_string() != client_id) {
    return refuse_token("The provider's token is for another client (azp).");
  }
  return {};
}

std::int64_t to_seconds(Timestamp at) {
  return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

Result<void> check_times(const json::object& claims, Timestamp at) {
  const std::int64_t present_s = to_seconds(at);
  const auto expires = seconds_in(claims, "exp");
  const auto issued = seconds_in(claims, "iat");
  if (!expires || !issued) return refuse_token("The provider's token has no time (exp, iat).");
  if (present_s >= *expires + kLeewayS) {
    return refuse_token("The provider's token has expired: compare the clocks.");
  }
  const auto begins = claims.contains("nbf") ? seconds_in(claims, "nbf") : issued;
  if (!begins || std::max(*issued, *begins) > present_s + kLeewayS) {
    return refuse_token("The provider's token is of the future: compare the clocks.");
  }
  return {};
}

Result<void> check_common(const json::object& claims, const TokenRules& rules) {
  if (text_in(claims, "iss") != rules.issuer) {
    return refuse_token("The provider's token is of another issuer.");
  }
  TRY_VOID(check_audience(claims, rules.client_id));
  return check_times(claims, rules.at);
}

/// Returns the left half of the access token's digest (Core 1.0, section 3.1.3.6).
std::string half_digest(std::string_view text, Algorithm algorithm) {
  // Ed25519 is a signature of SHA-512.
  const EVP_MD* const kind = algorithm == Algorithm::eddsa ? EVP_sha512() : EVP_sha256();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, kind, nullptr) != 1) {
    throw std::bad_alloc();
  }
  return to_base64url({reinterpret_cast<const char*>(digest.data()), size / 2});
}

Result<json::object> claims_of(const Jws& token) {
  auto claims = parse_object(token.content);
  if (!claims) return refuse_token("The provider's token has no claims.");
  return *std::move(claims);
}

/// Compares as media types are: in any case, with or without the part before the slash.
bool is_logout_type(const std::optional<std::string>& type) {
  if (!type) return true;
  return equal_ignoring_case(*type, "logout+jwt") ||
         equal_ignoring_case(*type, "application/logout+jwt") || equal_ignoring_case(*type, "JWT");
}

bool has_logout_event(const json::object& claims) {
  const json::value* const events = claims.if_contains("events");
  if (events == nullptr || !events->is_object()) return false;
  const json::value* const event = events->get_object().if_contains(kLogoutEvent);
  return event != nullptr && event->is_object();
}

/// `exp` is there.
Timestamp end_of(const json::object& claims) {
  const std::int64_t expires = seconds_in(claims, "exp").value_or(0);
  const std::int64_t issued = seconds_in(claims, "iat").value_or(0);
  return timestamp_of(std::min(expires, issued + kLongestLogoutS) + kLeewayS);
}

}  // namespace

std::optional<std::string> id_in(const json::object& claims, std::string_view name) {
  auto id = text_in(claims, name);
  if (id && (id->empty() || id->size() > kLongestId || has_control_character(*id))) id.reset();
  return id;
}

Result<json::object> check_id_token(const Jws& token, const TokenRules& rules) {
  TRY(auto claims, claims_of(token));
  TRY_VOID(check_common(claims, rules));
  if (!id_in(claims, "sub")) return refuse_token("The provider's token names no person (sub).");
  if (text_in(claims, "nonce") != rules.nonce) {
    return refuse_token("The provider's token is of another sign-in (nonce).");
  }
  if (claims.contains("at_hash") && !rules.access_token.empty() &&
      text_in(claims, "at_hash") != half_digest(rules.access_token, token.algorithm)) {
    return refuse_token("The provider's tokens do not belong together (at_hash).");
  }
  return claims;
}

Result<LogoutToken> check_logout_token(const Jws& token, const TokenRules& rules) {
  if (!is_logout_type(token.type)) return refuse_token("The token is no logout token (typ).");
  TRY(const auto claims, claims_of(token));
  TRY_VOID(check_common(claims, rules));
  if (!has_logout_event(claims)) return refuse_token("The token is no logout token (events).");
  if (claims.contains("nonce")) return refuse_token("The token is no logout token (nonce).");
  LogoutToken logout;
  auto id = id_in(claims, "jti");
  if (!id) return refuse_token("The logout token has no id (jti).");
  logout.id = *std::move(id);
  logout.subject = id_in(claims, "sub");
  logout.session = id_in(claims, "sid");
  const bool has_wrong_one = claims.contains("sub") != logout.subject.has_value() ||
                             claims.contains("sid") != logout.session.has_value();
  if (has_wrong_one || (!logout.subject && !logout.session)) {
    return refuse_token("The logout token names no session (sub, sid).");
  }
  logout.expires_at = end_of(claims);
  if (logout.expires_at <= rules.at) return refuse_token("The logout token is too old.");
  return logout;
}

}  // namespace coffer::oidc
