#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/services.h"
#include "http/message.h"

namespace coffer::api {

/// Returns the caller, found by the `X-API-Key` header or else by the session's cookie. Errors:
/// - `unauthenticated` if there is no valid key and no valid session;
/// - `forbidden` if a session's request can change something, and it lacks the session's token in
///   `X-CSRF-Token` or comes from a page of another site.
Task<Result<core::Principal>> authenticate(Services& services, http::Request& request);

/// Returns the value of a cookie (RFC 6265, section 5.4); nullopt if it is absent or empty.
std::optional<std::string_view> cookie_of(const http::Request& request, std::string_view name);

/// Returns the session's secret from the session's cookie; nullopt without this cookie.
std::optional<std::string_view> session_token_of(const http::Request& request);

/// Returns the `Set-Cookie` that stores the session's secret in a browser, or deletes it if `token`
/// is empty. Over HTTPS the cookie's name begins with `__Host-`, so that other hosts of the domain
/// cannot set the cookie (RFC 6265bis, section 4.1.3.2).
std::string session_cookie(const http::Request& request, std::string_view token);

/// Returns `forbidden` if the request can change something and its Origin is another site (RFC
/// 6454).
Result<void> refuse_foreign_page(const http::Request& request);

}  // namespace coffer::api
