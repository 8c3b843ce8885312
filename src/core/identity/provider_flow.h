#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"
#include "core/connectors/sealer.h"

namespace coffer::core {

/// The session that asks for its account to be linked with a person at the provider, or to be
/// confirmed by one who is linked.
struct LinkingSession {
  AccountId account;
  catalog::SecretHash
      hash{};  ///< Of the session's secret. The change is made only while it counts.
  bool confirms = false;
};

/// A sign-in that waits for the provider's answer. Nothing of it is stored: the browser keeps it as
/// a sealed text (Sealer), in a cookie.
struct ProviderFlow {
  Timestamp expires_at{};  ///< In whole seconds.
  std::string nonce;
  std::string verifier;                        ///< Of PKCE (RFC 7636, section 4.1).
  std::string return_path;                     ///< The page that the person comes back to.
  std::optional<LinkingSession> linking = {};  ///< Absent: it opens a session.
};

/// Returns the flow as a sealed text.
std::string seal_flow(const ProviderFlow& flow, const Sealer& sealer);
/// Opens a sealed flow. `unauthenticated` if the text was altered, does not come from `seal_flow`
/// of this installation, or has expired.
Result<ProviderFlow> open_flow(std::string_view sealed, const Sealer& sealer);

/// Returns the path if a page of this server can have it, else `/`: it begins with one slash, has
/// at most 1024 bytes and no control characters.
std::string safe_return_path(std::string_view path);

}  // namespace coffer::core
