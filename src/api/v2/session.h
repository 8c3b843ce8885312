#pragma once

#include <vector>

#include "api/v2/account.h"
#include "api/v2/route.h"

namespace coffer::api::v2 {

/// What a sign-in answers.
struct SessionDetails {
  AccountDetails account;
  std::string csrfToken;
};
BOOST_DESCRIBE_STRUCT(SessionDetails, (), (account, csrfToken))

/// The answer of a sign-in, with the cookie.
Task<Result<Answer<SessionDetails>>> signed_in_answer(Call call, core::SignedIn signed_in);

std::vector<Route> session_routes();

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Docs<v2::SessionDetails> {
  static constexpr std::string_view name = "Session";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"account", "The account that is signed in.",
       R"({"userName":"ann","displayName":"Ann","role":"user","storageUsed":0,"storageLimit":0,"preferences":{}})"},
      {"csrfToken", "To be sent as X-CSRF-Token with each of the session's requests that writes.",
       R"("0000000000000000000000000000000000000000000000000000000000000000")"},
  }};
};

}  // namespace coffer::api
