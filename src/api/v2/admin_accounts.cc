#include "api/model.h"
#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "core/identity/directory_sign_in.h"
#include "core/identity/provider_sign_in.h"
#include "core/identity/proxy_sign_in.h"

namespace coffer::api::v2 {
namespace {

struct ManagedAccount {
  static constexpr std::string_view kSchema = "ManagedAccount";
  FIELD(std::string, userName, "The name to sign in with.", R"("ann")");
  FIELD(std::string, displayName, "The name shown to people.", R"("Ann")");
  FIELD(catalog::Role, role, "admin or user.", R"("user")");
  FIELD(bool, disabled, "True if its keys and sessions are refused.", "false");
  FIELD(bool, hasPassword, "True if it has a password to sign in with.", "true");
  FIELD(bool, hasSecondFactor, "True if signing in takes a code besides the password.", "false");
  FIELD(std::uint64_t, storageUsed, "Bytes in the account's own files.", "1536");
  FIELD(std::uint64_t, storageLimit, "The quota in bytes; 0 means unlimited.", "10737418240");
  FIELD(std::string, homeFolder, "The absolute path of the folder of its own files on the server.",
        R"("/srv/coffer/files/ann-5f0c2a9d")");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<Timestamp>, lastSeenAt,
        "The last use of one of its present sessions or keys, UTC, up to a minute late; null if it "
        "is not known.",
        "null");
};

/// The members that accounts have in requests, whether they are made or changed.
struct AccountMembers {
  FIELD(std::optional<Password>, password,
        "8 to 1024 bytes. A new one ends the account's sessions; its keys stay.",
        R"("correct horse")");
  FIELD(std::optional<DisplayName>, displayName,
        "The name shown to people: 1 to 100 characters; the user name by default.", R"("Ann")");
  FIELD(std::optional<catalog::Role>, role,
        "admin or user (default). A change ends the account's sessions.", R"("user")");
  FIELD(std::optional<std::uint64_t>, storageLimit,
        "The quota in bytes; 0 (default) means unlimited.", "10737418240");
};

struct WantedAccount : AccountMembers {
  FIELD(UserName, userName,
        "The name to sign in with: 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", beginning with a "
        "letter or digit.",
        R"("ann")");
};

struct ManagedAccountChanges : AccountMembers {
  FIELD(std::optional<bool>, disabled,
        "true ends its sessions and refuses its keys; false accepts its keys again.", "true");
};

struct AccountParameters {
  FIELD(NonEmpty<std::string>, name, "The account's user name.", R"("ann")");
};

struct AccountRemoval {
  FIELD(NonEmpty<std::string>, name, "The account's user name.", R"("ann")");
  FIELD(std::optional<core::FileFate>, files,
        "keep (default) leaves its own files on the server's disk, out of reach of every account; "
        "purge deletes them for good, which may take long.",
        R"("keep")");
};

ManagedAccount managed_account_of(const core::AccountOverview& overview) {
  const catalog::Account& account = overview.account;
  ManagedAccount view;
  view.userName = account.name;
  view.displayName = account.display_name;
  view.role = account.role;
  view.disabled = account.disabled;
  view.hasPassword = !account.password_hash.empty();
  view.hasSecondFactor = overview.has_second_factor;
  view.storageUsed = overview.usage.used_bytes;
  view.storageLimit = overview.usage.limit_bytes;
  view.homeFolder = overview.home_folder;
  view.createdAt = account.created_at;
  view.lastSeenAt = overview.last_seen;
  return view;
}

core::AccountPatch account_patch_of(const Call& call, AccountMembers members) {
  core::AccountPatch patch;
  patch.asker = core::administrator_of(call.principal());
  if (members.password) {
    patch.password = {std::move(members.password->value), call.password_asker()};
  }
  if (members.displayName) patch.display_name = std::move(members.displayName->value);
  patch.role = members.role;
  patch.quota_bytes = members.storageLimit;
  return patch;
}

Task<Result<Answer<ManagedAccount>>> answer_account(Call call, std::string name) {
  CO_TRY(const auto found, co_await call.services.accounts.show(std::move(name)));
  co_return Answer<ManagedAccount>{managed_account_of(found)};
}

Task<Result<Answer<Page<ManagedAccount>>>> list_managed_accounts(Call call,
                                                                 ListPartParameters parameters,
                                                                 NoBody) {
  const ListLimit limit = parameters.limit.value_or(ListLimit());
  std::string after;
  if (parameters.cursor) after = parameters.cursor->value;
  // One more tells whether there is a next page.
  CO_TRY(const auto found, co_await call.services.accounts.list(std::move(after), limit.value + 1));
  std::vector<ManagedAccount> accounts;
  for (const core::AccountOverview& one : found) accounts.push_back(managed_account_of(one));
  co_return Answer<Page<ManagedAccount>>{
      page_of(std::move(accounts), limit, std::nullopt,
              [](const ManagedAccount& account) { return account.userName; })};
}

Task<Result<Answer<ManagedAccount>>> show_managed_account(Call call, AccountParameters parameters,
                                                          NoBody) {
  return answer_account(std::move(call), std::move(parameters.name.value));
}

Task<Result<Answer<ManagedAccount>>> make_account(Call call, NoParameters, WantedAccount body) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  const std::string name = body.userName.value;
  core::AccountPatch patch = account_patch_of(call, std::move(body));
  CO_TRY([[maybe_unused]] const auto added,
         co_await call.services.accounts.add(name, std::move(patch)));
  CO_TRY(auto answer, co_await answer_account(std::move(call), name));
  answer.headers.emplace_back("Location", "/api/v2/admin/accounts/" + name);
  co_return answer;
}

Task<Result<Answer<ManagedAccount>>> change_managed_account(Call call, AccountParameters parameters,
                                                            ManagedAccountChanges body) {
  std::string name = std::move(parameters.name.value);
  const std::optional<bool> disabled = body.disabled;
  if (body.password || body.role || disabled) {
    CO_TRY_VOID(core::check_confirmed(call.principal()));
  }
  if (auto* const provider = call.services.provider_sign_in; provider != nullptr) {
    CO_TRY_VOID(co_await provider->check_by_hand(name, body.role, body.storageLimit));
  }
  if (auto* const directory = call.services.directory_sign_in; directory != nullptr) {
    CO_TRY_VOID(co_await directory->check_by_hand(name, body.role, body.storageLimit));
  }
  if (auto* const proxy = call.services.proxy_sign_in; proxy != nullptr) {
    CO_TRY_VOID(co_await proxy->check_by_hand(name, body.role, body.storageLimit));
  }
  core::AccountPatch patch = account_patch_of(call, std::move(body));
  patch.disabled = disabled;
  CO_TRY([[maybe_unused]] const auto changed,
         co_await call.services.accounts.change(name, std::move(patch)));
  co_return co_await answer_account(std::move(call), std::move(name));
}

Task<Result<void>> remove_account(Call call, AccountRemoval parameters, NoBody) {
  CO_TRY_VOID(core::check_confirmed(call.principal()));
  const core::FileFate files = parameters.files.value_or(core::FileFate::kept);
  auto asker = core::administrator_of(call.principal());
  CO_TRY([[maybe_unused]] const auto removed,
         co_await call.services.accounts.remove(std::move(parameters.name.value), std::move(asker),
                                                files));
  co_return Result<void>{};
}

}  // namespace

std::vector<Route> admin_account_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/accounts";
  constexpr std::string_view kOne = "/api/v2/admin/accounts/{name}";
  return {
      json_route(Route(Method::get, kAll, "listAccounts", "List the accounts", "By name, in pages.",
                       CallerRule::administrator),
                 &list_managed_accounts),
      json_route(Route(Method::post, kAll, "createAccount", "Make an account and its folder",
                       "Without a password it cannot sign in until it gets one; its keys work. A "
                       "session must be confirmed (confirmSession).",
                       CallerRule::administrator, 201, {409, 507}),
                 &make_account),
      json_route(Route(Method::get, kOne, "showManagedAccount", "Show an account",
                       "The same data as in the list.", CallerRule::administrator, 200, {404}),
                 &show_managed_account),
      json_route(Route(Method::patch, kOne, "changeManagedAccount", "Change an account",
                       "Missing members stay unchanged. A change that would leave no "
                       "administrator who can sign in is refused: 403. For a password, a role or "
                       "the member disabled a session must be confirmed (confirmSession).",
                       CallerRule::administrator, 200, {404, 507}),
                 &change_managed_account),
      json_route(
          Route(
              Method::del, kOne, "removeAccount", "Remove an account",
              "Its keys, sessions and connectors are removed too. The last "
              "administrator cannot be removed: 403. A session must be confirmed (confirmSession).",
              CallerRule::administrator, 204, {404, 507}),
          &remove_account)};
}

}  // namespace coffer::api::v2
