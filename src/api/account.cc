#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"
#include "base/size_format.h"

namespace coffer::api {
namespace {

Task<Result<AccountView>> show_account(Services& services, core::Principal principal,
                                       NoParameters) {
  const auto usage = co_await services.accounts.usage(principal);
  if (!usage) co_return failure_of(usage);
  AccountView view;
  view.username = principal.account->name;
  view.displayName = principal.account->display_name;
  view.role = principal.account->role;
  view.storageUsed = usage->used_bytes;
  view.storageUsedFormatted = format_size(usage->used_bytes);
  view.storageLimit = usage->limit_bytes;
  view.storageLimitFormatted =
      usage->limit_bytes == 0 ? "Unlimited" : format_size(usage->limit_bytes);
  view.folderScope = scope_text(principal.within());
  co_return view;
}

}  // namespace

std::vector<Endpoint> account_endpoints() {
  Endpoint show;
  show.method = http::Method::get;
  show.pattern = "/api/v1/account";
  show.id = "showAccount";
  show.summary = "Show the account that the key belongs to";
  show.description = "Its name, role, storage used and quota, and what the key is limited to.";
  return {json_endpoint(std::move(show), &show_account)};
}

}  // namespace coffer::api
