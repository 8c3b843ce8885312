#include "api/endpoint.h"
#include "api/model.h"
#include "base/size_format.h"

namespace coffer::api {
namespace {

using Locations = ArrayOf<LocationView, core::Location, to_view>;

Task<Result<AccountView>> show_account(Services& services, core::Principal principal,
                                       NoParameters) {
  CO_TRY(const auto usage, co_await services.accounts.usage(principal));
  AccountView view;
  view.username = principal.account->name;
  view.displayName = principal.account->display_name;
  view.role = principal.account->role;
  view.storageUsed = usage.used_bytes;
  view.storageUsedFormatted = format_size(usage.used_bytes);
  view.storageLimit = usage.limit_bytes;
  view.storageLimitFormatted =
      usage.limit_bytes == 0 ? "Unlimited" : format_size(usage.limit_bytes);
  view.folderScope = scope_text(principal.within());
  co_return view;
}

Task<Result<Locations>> list_locations(Services& services, core::Principal principal,
                                       NoParameters) {
  CO_TRY(auto locations, co_await services.files.locations(principal));
  co_return Locations{std::move(locations)};
}

}  // namespace

std::vector<Endpoint> account_endpoints() {
  return {json_endpoint(
      Endpoint(http::Method::get, "/api/v1/account", "showAccount",
               "Show the account that the key belongs to",
               "Its name, role, storage used and quota, and what the key is limited to.", {}),
      &show_account)};
}

std::vector<Endpoint> location_endpoints() {
  return {json_endpoint(
      Endpoint(http::Method::get, "/api/v1/locations", "listLocations",
               "List the places that the key reaches",
               "The account's own files, the folders shared with it and its connectors. A key that "
               "is limited to a folder has one location, of kind scoped; 404 where that folder was "
               "in a shared folder or connector which the account has no more.",
               {404}),
      &list_locations)};
}

}  // namespace coffer::api
