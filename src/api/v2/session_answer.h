#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/v2/route.h"
#include "api/v2/values.h"

/// What clients are told of who is signed in, whichever way they signed in.
namespace coffer::api::v2 {

/// An account as it sees itself.
struct AccountDetails {
  static constexpr std::string_view kSchema = "Account";
  FIELD(std::string, userName, "The name to sign in with.", R"("ann")");
  FIELD(std::string, displayName, "The name shown to people.", R"("Ann")");
  FIELD(catalog::Role, role, "admin or user.", R"("user")");
  FIELD(std::uint64_t, storageUsed, "Bytes in the account's own files.", "1536");
  FIELD(std::uint64_t, storageReserved,
        "Bytes of the quota that unfinished uploads and writes under way have reserved.", "0");
  FIELD(std::uint64_t, storageLimit, "The quota in bytes; 0 means unlimited.", "10737418240");
  FIELD(AnyObject, preferences, "Any data that clients store for the account.", "{}");
};

Task<Result<AccountDetails>> account_details(Services& services, const core::Principal& principal);

/// The answer of a sign-in.
struct SessionDetails {
  static constexpr std::string_view kSchema = "Session";
  FIELD(
      AccountDetails, account, "The account that is signed in.",
      R"({"userName":"ann","displayName":"Ann","role":"user","storageUsed":0,"storageReserved":0,"storageLimit":0,"preferences":{}})");
  FIELD(std::string, csrfToken,
        "Send it as X-CSRF-Token with every request of the session that changes something.",
        R"("0000000000000000000000000000000000000000000000000000000000000000")");
  FIELD(bool, needsSecondFactor,
        "True if the account must get a second factor before the session may do anything else.",
        "false");
};

/// Returns the answer for the session with the secret `token`.
Task<Result<SessionDetails>> session_details(Services& services, const core::Principal& principal,
                                             std::string_view token);
/// Returns the answer of a sign-in, with its cookies.
Task<Result<Answer<SessionDetails>>> signed_in_answer(Call call, core::SignedIn signed_in);

}  // namespace coffer::api::v2
