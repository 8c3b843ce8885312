#include "api/v2/account.h"

#include "api/v2/names.h"

namespace coffer::api {

namespace v2 {

struct AccountChanges {
  std::optional<DisplayName> displayName;
  std::optional<AnyObject> preferences;
};
BOOST_DESCRIBE_STRUCT(AccountChanges, (), (displayName, preferences))

struct PasswordChange {
  Password current;
  Password new_;
};
BOOST_DESCRIBE_STRUCT(PasswordChange, (), (current, new_))

}  // namespace v2

template <>
struct Docs<v2::AccountChanges> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"displayName", "1 to 100 characters without control characters.", R"("Ann")"},
      {"preferences", "Takes the place of the whole object.", R"({"view":"grid"})"},
  }};
};

template <>
struct Docs<v2::PasswordChange> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"current", "The password as it is.", R"("correct horse")"},
      {"new", "8 to 1024 bytes.", R"("battery staple")"},
  }};
};

namespace v2 {
namespace {

Task<Result<Answer<AccountDetails>>> show_account(Call call, NoParameters, NoBody) {
  auto details = co_await account_details(call.services, call.principal());
  if (!details) co_return failure_of(std::move(details));
  co_return Answer<AccountDetails>{*std::move(details)};
}

Task<Result<Answer<AccountDetails>>> change_account(Call call, NoParameters, AccountChanges body) {
  core::AccountPatch patch;
  if (body.displayName) patch.display_name = std::move(body.displayName->value);
  if (body.preferences) patch.preferences = boost::json::serialize(body.preferences->value);
  auto changed = co_await call.services.accounts.change_own(call.principal(), std::move(patch));
  if (!changed) co_return failure_of(std::move(changed));
  core::Principal now = call.principal();
  now.account = std::make_shared<const catalog::Account>(*std::move(changed));
  auto details = co_await account_details(call.services, now);
  if (!details) co_return failure_of(std::move(details));
  co_return Answer<AccountDetails>{*std::move(details)};
}

Task<Result<Answer<Nothing>>> change_password(Call call, NoParameters, PasswordChange body) {
  auto changed = co_await call.services.sign_in.change_password(
      call.principal(), std::move(body.current.value), std::move(body.new_.value), call.client());
  if (!changed) co_return failure_of(std::move(changed));
  co_return Answer<Nothing>{};
}

}  // namespace

Task<Result<AccountDetails>> account_details(Services& services, const core::Principal& principal) {
  const auto usage = co_await services.accounts.usage(principal);
  if (!usage) co_return failure_of(usage);
  AccountDetails details;
  details.userName = principal.account->name;
  details.displayName = principal.account->display_name;
  details.role = principal.account->role;
  details.storageUsed = usage->used_bytes;
  details.storageLimit = usage->limit_bytes;
  details.preferences.value = boost::json::parse(principal.account->preferences).as_object();
  co_return details;
}

std::vector<Route> account_routes() {
  using http::Method;
  Route show_route{Method::get, "/api/v2/account", "showAccount", "Show the caller's account",
                   "Its names, role, storage used and quota, and what its clients keep."};
  Route change_route{Method::patch, "/api/v2/account", "changeAccount",
                     "Change the caller's account", "Members that are missing stay as they are."};
  Route password_route{Method::post, "/api/v2/account/password", "changePassword",
                       "Change the caller's password",
                       "Ends the account's other sessions. Keys stay."};
  password_route.rule = CallerRule::session;
  password_route.success = 204;
  password_route.errors = {409, 429};
  return {json_route(show_route, &show_account), json_route(change_route, &change_account),
          json_route(password_route, &change_password)};
}

}  // namespace v2
}  // namespace coffer::api
