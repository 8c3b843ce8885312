#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "backends/curl/request.h"
#include "backends/oidc/claims.h"
#include "backends/oidc/jwk.h"
#include "backends/oidc/jws.h"
#include "backends/oidc/kept_document.h"
#include "backends/oidc/metadata.h"
#include "backends/oidc/tokens.h"
#include "base/clock.h"
#include "base/error.h"

namespace coffer::oidc {

/// A provider, and this program as its client.
struct ProviderOptions {
  std::string issuer;
  std::string client_id;
  std::string client_secret = {};  ///< Empty: a public client.
  std::string scopes = "openid profile";
  ClaimNames claims = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; if empty, the system's.
  std::stop_token ending = {};
};

/// An authorization request (OpenID Connect Core 1.0, section 3.1.2.1).
struct AuthorizationRequest {
  std::string redirect;  ///< Where the provider sends the person back to.
  std::string state;
  std::string nonce;
  std::string challenge;    ///< Of PKCE, by S256 (RFC 7636, section 4.2).
  std::string prompt = {};  ///< `none`, `login` or `select_account`; may be empty.
  bool asks_again = false;  ///< The person shows anew who they are; see SignedInPerson.
};

/// The answer to an authorization request, with what the request was made of.
struct AuthorizationAnswer {
  std::string code;
  std::optional<std::string> issuer;  ///< `iss` (RFC 9207).
  std::string redirect;
  std::string nonce;
  std::string verifier;  ///< Of PKCE.
};

/// A person who signed in at the provider.
struct SignedInPerson {
  std::string issuer;
  std::string subject;                      ///< With the issuer, the person's identity.
  std::optional<std::string> session = {};  ///< The id of the session at the provider, `sid`.
  /// When the person last showed who they are, `auth_time`; the provider must say it if asks_again.
  std::optional<Timestamp> authenticated_at = {};
  std::string id_token = {};  ///< Checked; for logout_address.
  Person person;
};

/// Talks to a provider of OpenID Connect. Asks for its metadata and keys when they are first needed
/// and keeps them for a day. If a token is signed by an unknown key, asks for the keys again, at
/// most once in 30 seconds. Each answer is read to 1 MiB and waited for 10 seconds, and no redirect
/// is followed. All calls may block. Safe from any thread.
///
/// No error repeats what the provider says. The errors of all calls:
/// - `unauthenticated` if the provider's answer does not prove who signed in; the message says why
/// - `unavailable` and `timed_out` if the provider cannot be asked, or refuses the client
class Provider {
 public:
  using Send = std::function<Result<curl::Answer>(const curl::Request&)>;

  /// The last two parameters are for tests.
  explicit Provider(
      ProviderOptions options, Send send = &curl::send,
      const SteadyClock& clock = [] { return std::chrono::steady_clock::now(); });

  const std::string& issuer() const { return options_.issuer; }

  /// Returns the address at the provider that a browser is sent to for signing in.
  Result<std::string> authorization_address(const AuthorizationRequest& request);
  /// Exchanges the code for tokens, and checks them. Asks the userinfo endpoint for claims that the
  /// ID token lacks.
  Result<SignedInPerson> exchange(const AuthorizationAnswer& answer);
  /// Checks a logout token.
  Result<LogoutToken> read_logout_token(std::string_view token);
  /// Asks for the metadata and the keys anew, for a test; those that are kept stay.
  Result<Metadata> fetch_metadata() const;
  Result<std::vector<Jwk>> fetch_keys(const Metadata& metadata) const;
  /// Returns the person of an ID token with these claims, which nothing proves. `invalid` if they
  /// have no `sub`, or another issuer.
  Result<SignedInPerson> describe(const boost::json::object& claims) const;
  /// Returns the address at the provider that a browser is sent to for signing out there, and that
  /// leads back to `return_to` (RP-Initiated Logout 1.0); empty if the provider has none.
  /// `id_token` is that of the sign-in, also if it has expired; it may be empty.
  Result<std::string> logout_address(const std::string& return_to, const std::string& id_token);

 private:
  using KeySet = std::vector<Jwk>;

  curl::Request request_for(const std::string& url, std::string server) const;
  Result<std::string> document_at(const std::string& url, std::string server) const;
  Result<KeySet> fetch_keys();
  Result<Jws> verified(std::string_view token);
  Result<curl::Answer> ask_for_tokens(const Metadata& metadata, const AuthorizationAnswer& answer);
  Result<boost::json::object> userinfo(const Metadata& metadata, const std::string& access_token,
                                       const std::string& subject) const;
  TokenRules rules() const;

  const ProviderOptions options_;
  const Send send_;
  KeptDocument<Metadata> metadata_;
  KeptDocument<KeySet> keys_;
};

}  // namespace coffer::oidc
