#include <utility>
#include <vector>

#include "api/v2/identity_view.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "catalog/identities.h"

namespace coffer::api::v2 {
namespace {

struct NamedAccount {
  FIELD(NonEmpty<std::string>, name, "The account's user name.", R"("ann")");
};

struct NamedIdentity : NamedAccount {
  FIELD(NonEmpty<std::string>, id, "The identity's id, as the list shows it.",
        R"("5f0c2a9d1b7e4c38")");
};

struct WantedIdentity {
  FIELD(IssuerText, issuer, "The provider, as in the setting oidc_issuer.",
        R"("https://id.example.org")");
  FIELD(SubjectText, subject, "The person, by the provider's name for it (sub).",
        R"("248289761001")");
};

Task<Result<AccountId>> account_named(const Call& call, NonEmpty<std::string> name) {
  CO_TRY(const auto found, co_await call.services.accounts.show(std::move(name.value)));
  co_return found.account.id;
}

Task<Result<Answer<std::vector<IdentityView>>>> list_identities_of(Call call,
                                                                   NamedAccount parameters,
                                                                   NoBody) {
  CO_TRY(const AccountId account, co_await account_named(call, std::move(parameters.name)));
  CO_TRY(auto found, co_await call.services.identities.list(account));
  co_return Answer<std::vector<IdentityView>>{identity_views(std::move(found))};
}

Task<Result<void>> link_identity(Call call, NamedAccount parameters, WantedIdentity body) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(const AccountId account, co_await account_named(call, std::move(parameters.name)));
  catalog::IdentityName name{std::move(body.issuer.value), std::move(body.subject.value)};
  auto asker = core::administrator_of(call.principal());
  co_return co_await call.services.identities.link(account, std::move(name), std::move(asker));
}

Task<Result<void>> unlink_identity_of(Call call, NamedIdentity parameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  CO_TRY(const AccountId account, co_await account_named(call, std::move(parameters.name)));
  auto asker = core::administrator_of(call.principal());
  co_return co_await call.services.identities.unlink(account, std::move(parameters.id.value),
                                                     std::move(asker));
}

}  // namespace

std::vector<Route> admin_identity_routes() {
  using http::Method;
  constexpr const char* kAll = "/api/v2/admin/accounts/{name}/identities";
  return {json_route(Route(Method::get, kAll, "listIdentitiesOf",
                           "List the persons at the provider that sign in to an account",
                           "Oldest first.", CallerRule::administrator, 200, {404}),
                     &list_identities_of),
          json_route(Route(Method::post, kAll, "linkIdentity",
                           "Link an account with a person at the provider",
                           "The person then signs in to the account. Nothing changes if it does so "
                           "already; 409 if it signs in to another. A session must be confirmed "
                           "(confirmSession).",
                           CallerRule::administrator, 204, {404, 409, 507}),
                     &link_identity),
          json_route(Route(Method::del, "/api/v2/admin/accounts/{name}/identities/{id}",
                           "unlinkIdentityOf", "Unlink a person at the provider from an account",
                           "409 if nobody could sign in to the account any more. A session must be "
                           "confirmed (confirmSession).",
                           CallerRule::administrator, 204, {404, 409, 507}),
                     &unlink_identity_of)};
}

}  // namespace coffer::api::v2
