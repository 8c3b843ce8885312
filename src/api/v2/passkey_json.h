#pragma once

#include <boost/json.hpp>

#include "api/v2/route.h"
#include "core/identity/passkey_service.h"

/// Passkeys in the JSON of browsers (WebAuthn Level 3, sections 5.1.8 to 5.1.11), and the pages
/// that they are for.
namespace coffer::api::v2 {

/// A passkey that was made, as `PublicKeyCredential.toJSON()` gives it.
struct MadeCredential {
  core::MadePasskey value;
  static boost::json::object schema();
};
/// A passkey that is shown, as `PublicKeyCredential.toJSON()` gives it.
struct ShownCredential {
  core::ShownPasskey value;
  static boost::json::object schema();
};
Result<void> from_json(const boost::json::value& json, MadeCredential& out);
Result<void> from_json(const boost::json::value& json, ShownCredential& out);

inline constexpr const char* kCredentialExample =
    R"({"id":"-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAISS4","type":"public-key","response":{}})";

/// The domain that passkeys are for: that of the setting public_url; without one, that of the
/// request if it is `localhost`. `not_found` if there is none, or passkeys are turned off.
Result<core::PasskeyDomain> passkey_domain(const Call& call);

}  // namespace coffer::api::v2
