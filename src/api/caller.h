#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/services.h"
#include "http/request.h"

namespace coffer::api {

/// The caller, by the `X-API-Key` header, else by the session's cookie. `unauthenticated` where
/// neither names one; `forbidden` for a session's request that writes without the session's token
/// in `X-CSRF-Token`, or that a page of another site sends.
Task<Result<core::Principal>> authenticate(Services& services, http::Request& request);

/// The value of a cookie that is not empty (RFC 6265, section 5.4).
std::optional<std::string_view> cookie_of(const http::Request& request, std::string_view name);

/// The session's secret, where the request has its cookie.
std::optional<std::string_view> session_token_of(const http::Request& request);

/// The `Set-Cookie` that gives the secret to a browser, or takes it away when it is empty. Over
/// HTTPS the cookie's name keeps other hosts of the domain from setting it (`__Host-`, RFC 6265bis,
/// section 4.1.3.2).
std::string session_cookie(const http::Request& request, std::string_view token);

/// `forbidden` where a browser says that a page of another site sends the request (RFC 6454).
Result<void> refuse_foreign_page(const http::Request& request);

}  // namespace coffer::api
