#include "api/v2/session_answer.h"

#include <boost/json.hpp>
#include <utility>

#include "api/caller.h"
#include "core/identity/sign_in_rules.h"

namespace coffer::api::v2 {

Task<Result<AccountDetails>> account_details(Services& services, const core::Principal& principal) {
  CO_TRY(const auto usage, co_await services.accounts.usage(principal));
  AccountDetails details;
  details.userName = principal.account->name;
  details.displayName = principal.account->display_name;
  details.role = principal.account->role;
  details.storageUsed = usage.used_bytes;
  details.storageReserved = usage.reserved_bytes;
  details.storageLimit = usage.limit_bytes;
  details.preferences.value = boost::json::parse(principal.account->preferences).as_object();
  co_return details;
}

Task<Result<SessionDetails>> session_details(Services& services, const core::Principal& principal,
                                             std::string_view token) {
  CO_TRY(auto account, co_await account_details(services, principal));
  const bool is_protected = core::check_is_protected(services.sign_in_rules, principal).has_value();
  co_return SessionDetails{std::move(account), core::csrf_token_of(token), !is_protected};
}

Task<Result<Answer<SessionDetails>>> signed_in_answer(Call call, core::SignedIn signed_in) {
  CO_TRY(auto details,
         co_await session_details(call.services, signed_in.principal, signed_in.token));
  co_return Answer<SessionDetails>{std::move(details),
                                   {{"Set-Cookie", session_cookie(call.request, signed_in.token)},
                                    {"Set-Cookie", device_cookie(call.request, signed_in.device)}}};
}

}  // namespace coffer::api::v2
