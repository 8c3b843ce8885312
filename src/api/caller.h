#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "api/services.h"
#include "http/message.h"

namespace coffer::api {

/// Returns the caller, identified by the key in `X-API-Key` or, if this header is missing or empty,
/// by the session cookie. Errors:
/// - `unauthenticated` if the key is not valid;
/// - `unauthenticated` if there is no key and no valid session;
/// - `forbidden` if a session's request is neither GET nor HEAD, and its header `X-CSRF-Token` does
///   not have the session's CSRF token;
/// - `forbidden` if a session's request is refused by `refuse_foreign_page`.
Task<Result<core::Principal>> authenticate(Services& services, http::Request& request);

/// Notes the caller in the request, for the log.
void note_caller(const core::Principal& caller, http::Request& request);

/// Returns the value of a cookie (RFC 6265, section 5.4); nullopt if it is absent or empty.
std::optional<std::string_view> cookie_of(const http::Request& request, std::string_view name);

/// Returns the session's secret from the session's cookie; nullopt without this cookie.
std::optional<std::string_view> session_token_of(const http::Request& request);

/// Returns the `Set-Cookie` value that stores the session's secret `token` in a browser. An empty
/// `token` deletes the cookie. Over HTTPS the cookie's name begins with `__Host-`, so that other
/// hosts of the domain cannot set it (RFC 6265bis, section 4.1.3.2).
std::string session_cookie(const http::Request& request, std::string_view token);

/// Returns the cookie of the core::KnownDevice; empty if it is absent.
std::string_view device_cookie_of(const http::Request& request);

/// Returns the `Set-Cookie` value that stores a core::KnownDevice in a browser for a year. It is a
/// cookie like the session's.
std::string device_cookie(const http::Request& request, std::string_view device);

/// Returns the cookie of a sign-in at a provider (core::ProviderFlow); empty if it is absent.
std::string_view provider_cookie_of(const http::Request& request);

/// Returns the `Set-Cookie` value that stores a core::ProviderFlow in a browser for `life`, or
/// deletes it if the flow is empty. It is a cookie like the session's, but `SameSite=Lax`, since
/// the browser shows it when another site sends it back.
std::string provider_cookie(const http::Request& request, std::string_view flow,
                            std::chrono::seconds life);

/// Returns the cookie of provider_proof_cookie; empty if it is absent.
std::string_view provider_proof_of(const http::Request& request);

/// Returns the `Set-Cookie` value that stores what shows a provider at the sign-out whose session
/// is to end (core::EndedProviderSignIn), or deletes it if the proof is empty. A proof that is too
/// long for a cookie is left out. The browser shows it to the addresses of the session alone.
std::string provider_proof_cookie(const http::Request& request, std::string_view proof);

/// Refuses changes sent by pages of other sites: returns `forbidden` if the request is neither GET
/// nor HEAD and has an `Origin` header (RFC 6454) that does not name the host in its `Host` header.
Result<void> refuse_foreign_page(const http::Request& request);

}  // namespace coffer::api
