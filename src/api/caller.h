#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/services.h"
#include "http/message.h"

namespace coffer::api {

/// The caller, by the `X-API-Key` header, else by the session's cookie. `unauthenticated` without a
/// valid one; `forbidden` if a session's request that changes something lacks the session's token
/// in `X-CSRF-Token` or comes from a page of another site.
Task<Result<core::Principal>> authenticate(Services& services, http::Request& request);

/// The value of a cookie (RFC 6265, section 5.4); nullopt if it is absent or empty.
std::optional<std::string_view> cookie_of(const http::Request& request, std::string_view name);

/// The session's secret from its cookie; nullopt without one.
std::optional<std::string_view> session_token_of(const http::Request& request);

/// The `Set-Cookie` that stores the secret in a browser, or deletes it if `token` is empty. Over
/// HTTPS the prefix `__Host-` prevents other hosts of the domain from setting the cookie (RFC
/// 6265bis, section 4.1.3.2).
std::string session_cookie(const http::Request& request, std::string_view token);

/// `forbidden` if the request changes something and its Origin is another site's (RFC 6454).
Result<void> refuse_foreign_page(const http::Request& request);

}  // namespace coffer::api
