#include "api/caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/log.h"
#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api {
namespace {

/// As long as a session can live; the server ends it earlier where it is not used.
constexpr std::chrono::seconds kCookieLife = std::chrono::days(90);

/// The longest that browsers keep one, about (RFC 6265bis, section 5.5: 400 days).
constexpr std::chrono::seconds kDeviceLife = std::chrono::days(365);
constexpr std::string_view kSessionCookie = "coffer_session";
constexpr std::string_view kDeviceCookie = "coffer_device";
constexpr std::string_view kProviderCookie = "coffer_oidc";
constexpr std::string_view kProofCookie = "coffer_oidc_proof";

/// Browsers keep cookies of 4096 bytes, with their names and attributes (RFC 6265, section 6.1).
constexpr std::size_t kLongestProof = 3072;

/// The addresses that a session may ask before its account has the second factor that it must have.
constexpr std::string_view kForProtection[] = {
    "/api/v2/session",
    "/api/v2/session/confirm",
    "/api/v2/account/security",
    "/api/v2/account/totp",
    "/api/v2/account/totp/confirm",
    "/api/v2/account/passkeys",
    "/api/v2/account/passkeys/options",
};

/// Below the path of a proxy the cookie is for that path alone, which `__Host-` does not allow.
std::string full_name(const http::Request& request, std::string_view name) {
  const std::string_view mark = request.base_path.empty() ? "__Host-" : "__Secure-";
  return fmt::format("{}{}", request.is_secure ? mark : "", name);
}

/// Of a cookie that is not for all addresses.
std::string narrow_name(const http::Request& request, std::string_view name) {
  return fmt::format("{}{}", request.is_secure ? "__Secure-" : "", name);
}

struct Rules {
  std::string_view path = "/";
  std::string_view same_site = "Strict";
};

std::string cookie_with(const http::Request& request, std::string_view full_name,
                        std::string_view value, std::chrono::seconds life, Rules rules) {
  return fmt::format("{}={}; Path={}{}; HttpOnly; SameSite={}; Max-Age={}{}", full_name, value,
                     request.base_path, rules.path, rules.same_site, life.count(),
                     request.is_secure ? "; Secure" : "");
}

std::string own_cookie(const http::Request& request, std::string_view name, std::string_view value,
                       std::chrono::seconds life, std::string_view same_site = "Strict") {
  return cookie_with(request, full_name(request, name), value, life, {"/", same_site});
}

bool writes(const http::Request& request) {
  return request.method != http::Method::get && request.method != http::Method::head;
}

Result<void> check_origin_of_write(const http::Request& request, std::string_view token) {
  TRY_VOID(refuse_foreign_page(request));
  const auto shown = request.header("X-CSRF-Token");
  if (shown && core::is_csrf_token(*shown, token)) return {};
  return fail(ErrorCode::forbidden,
              "A session's request that changes something needs the session's token in the "
              "X-CSRF-Token header; GET /api/v2/session has it.");
}

}  // namespace

std::optional<std::string_view> cookie_of(const http::Request& request, std::string_view wanted) {
  const auto cookies = request.header("Cookie");
  if (!cookies) return std::nullopt;
  for (std::string_view rest = *cookies; !rest.empty();) {
    std::string_view value = http::trim(http::cut_front(rest, ';'));
    const std::string_view name = http::cut_front(value, '=');
    if (name == wanted && !value.empty()) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> session_token_of(const http::Request& request) {
  return cookie_of(request, full_name(request, kSessionCookie));
}

std::string session_cookie(const http::Request& request, std::string_view token) {
  const auto life = token.empty() ? std::chrono::seconds(0) : kCookieLife;
  return own_cookie(request, kSessionCookie, token, life);
}

std::string_view device_cookie_of(const http::Request& request) {
  return cookie_of(request, full_name(request, kDeviceCookie)).value_or("");
}

std::string device_cookie(const http::Request& request, std::string_view device) {
  return own_cookie(request, kDeviceCookie, device, kDeviceLife);
}

std::string_view provider_cookie_of(const http::Request& request) {
  return cookie_of(request, full_name(request, kProviderCookie)).value_or("");
}

std::string provider_cookie(const http::Request& request, std::string_view flow,
                            std::chrono::seconds life) {
  return own_cookie(request, kProviderCookie, flow, life, "Lax");
}

std::string_view provider_proof_of(const http::Request& request) {
  return cookie_of(request, narrow_name(request, kProofCookie)).value_or("");
}

std::string provider_proof_cookie(const http::Request& request, std::string_view proof) {
  const bool is_kept = !proof.empty() && proof.size() <= kLongestProof;
  return cookie_with(request, narrow_name(request, kProofCookie), is_kept ? proof : "",
                     is_kept ? kCookieLife : std::chrono::seconds(0),
                     {"/api/v2/session", "Strict"});
}

Result<void> refuse_foreign_page(const http::Request& request) {
  // Whose pages see what is read is for CORS to say.
  if (!writes(request)) return {};
  if (!request.has("Origin")) return {};
  const std::string_view origin = request.header("Origin").value_or("");
  const auto host = request.header("Host");
  const auto authority = origin.find("://");
  const bool is_own = host && authority != std::string_view::npos &&
                      equal_ignoring_case(origin.substr(authority + 3), *host);
  if (is_own) return {};
  return fail(
      ErrorCode::forbidden,
      "The request comes from a page of another site. If it does not, the proxy in front of "
      "the server must forward the Host header.");
}

void note_caller(const core::Principal& caller, http::Request& request) {
  request.account = caller.account->name;
  if (caller.key) request.key_id = caller.key->value;
  if (caller.session) request.session_id = caller.session->id.value;
}

namespace {

Task<Result<core::Principal>> identify(Services& services, const http::Request& request) {
  const auto secret = request.header("X-API-Key");
  if (secret && !secret->empty()) {
    auto caller = co_await services.authenticator.by_key(*secret);
    if (caller && writes(request)) caller->address = request.remote_address;
    co_return caller;
  }
  const auto token = session_token_of(request);
  if (!token) {
    co_return fail(ErrorCode::unauthenticated,
                   "An API key is needed: send it in the X-API-Key header.");
  }
  auto principal = co_await services.sign_in.by_token(*token);
  if (principal && std::ranges::find(kForProtection, request.path) == std::end(kForProtection)) {
    CO_TRY_VOID(core::check_is_protected(services.sign_in_rules, *principal));
  }
  if (!principal || !writes(request)) co_return principal;
  CO_TRY_VOID(check_origin_of_write(request, *token));
  principal->address = request.remote_address;
  co_return principal;
}

}  // namespace

Task<Result<core::Principal>> authenticate(Services& services, http::Request& request) {
  auto caller = co_await identify(services, request);
  if (caller && logs_json()) note_caller(*caller, request);
  co_return caller;
}

}  // namespace coffer::api
