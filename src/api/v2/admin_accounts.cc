#include "api/model.h"
#include "api/v2/names.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct ManagedAccount {
  std::string userName;
  std::string displayName;
  catalog::Role role = catalog::Role::user;
  bool disabled = false;
  bool hasPassword = false;
  std::uint64_t storageUsed = 0;
  std::uint64_t storageLimit = 0;
  Timestamp createdAt;
  std::optional<Timestamp> lastSeenAt;
};
BOOST_DESCRIBE_STRUCT(ManagedAccount, (),
                      (userName, displayName, role, disabled, hasPassword, storageUsed,
                       storageLimit, createdAt, lastSeenAt))

/// What can be said of an account, whether it is made or changed.
struct AccountMembers {
  std::optional<Password> password;
  std::optional<DisplayName> displayName;
  std::optional<catalog::Role> role;
  std::optional<std::uint64_t> storageLimit;
};
BOOST_DESCRIBE_STRUCT(AccountMembers, (), (password, displayName, role, storageLimit))

struct WantedAccount : AccountMembers {
  UserName userName;
};
BOOST_DESCRIBE_STRUCT(WantedAccount, (AccountMembers), (userName))

struct ManagedAccountChanges : AccountMembers {
  std::optional<bool> disabled;
};
BOOST_DESCRIBE_STRUCT(ManagedAccountChanges, (AccountMembers), (disabled))

struct AccountParameters {
  NonEmpty<std::string> name;
};
BOOST_DESCRIBE_STRUCT(AccountParameters, (), (name))

/// What becomes of a removed account's files.
struct FilesAfter {
  core::FileFate value = core::FileFate::kept;
};

struct AccountRemoval {
  NonEmpty<std::string> name;
  std::optional<FilesAfter> files;
};
BOOST_DESCRIBE_STRUCT(AccountRemoval, (), (name, files))

Result<void> parse_value(std::string_view text, FilesAfter& out) {
  if (text != "keep" && text != "purge") {
    return fail(ErrorCode::invalid, "must be one of keep, purge.");
  }
  out.value = text == "purge" ? core::FileFate::purged : core::FileFate::kept;
  return {};
}

}  // namespace v2

template <>
struct ParameterSchema<v2::FilesAfter> {
  static boost::json::object make() { return {{"type", "string"}, {"enum", {"keep", "purge"}}}; }
};

template <>
struct Docs<v2::ManagedAccount> {
  static constexpr std::string_view name = "ManagedAccount";
  static constexpr std::array<FieldDoc, 9> fields{{
      {"userName", "The name to sign in with.", R"("ann")"},
      {"displayName", "The name shown to people.", R"("Ann")"},
      {"role", "admin or user.", R"("user")"},
      {"disabled", "Whether its keys and sessions are refused.", "false"},
      {"hasPassword", "Whether it can sign in with a password.", "true"},
      {"storageUsed", "Bytes in the account's own files.", "1536"},
      {"storageLimit", "The quota in bytes; 0 means unlimited.", "10737418240"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"lastSeenAt",
       "When one of its sessions or keys that are left was last used, UTC, up to a minute late; "
       "null where that is not known.",
       "null"},
  }};
};

inline constexpr std::array<FieldDoc, 4> kAccountFields{{
    {"password", "8 to 1024 bytes. A new one ends the account's sessions; its keys stay.",
     R"("correct horse")"},
    {"displayName", "The name shown to people: 1 to 100 characters; the user name by default.",
     R"("Ann")"},
    {"role", "admin or user, which is the default. Another one ends the account's sessions.",
     R"("user")"},
    {"storageLimit", "The quota in bytes; 0 means unlimited and is the default.", "10737418240"},
}};

template <>
struct Docs<v2::WantedAccount> {
  static constexpr auto fields =
      joined(kAccountFields, std::array<FieldDoc, 1>{{
                                 {"userName",
                                  "The name to sign in with: 1 to 64 of a-z, 0-9, \".\", \"_\" and "
                                  "\"-\", beginning with a letter or digit.",
                                  R"("ann")"},
                             }});
};

template <>
struct Docs<v2::ManagedAccountChanges> {
  static constexpr auto fields = joined(
      kAccountFields,
      std::array<FieldDoc, 1>{{
          {"disabled", "true ends its sessions and refuses its keys; false accepts these.", "true"},
      }});
};

inline constexpr FieldDoc kAccountName{"name", "The account's user name.", R"("ann")"};

template <>
struct Docs<v2::AccountParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{kAccountName}};
};

template <>
struct Docs<v2::AccountRemoval> {
  static constexpr std::array<FieldDoc, 2> fields{{
      kAccountName,
      {"files",
       "keep leaves its own files on the server's disk, where no other account gets them, and is "
       "the default; purge deletes them for good, which may take long.",
       R"("keep")"},
  }};
};

namespace v2 {
namespace {

ManagedAccount managed_account_of(const core::AccountOverview& overview) {
  const catalog::Account& account = overview.account;
  ManagedAccount view;
  view.userName = account.name;
  view.displayName = account.display_name;
  view.role = account.role;
  view.disabled = account.disabled;
  view.hasPassword = !account.password_hash.empty();
  view.storageUsed = overview.usage.used_bytes;
  view.storageLimit = overview.usage.limit_bytes;
  view.createdAt = account.created_at;
  view.lastSeenAt = overview.last_seen;
  return view;
}

core::AccountPatch account_patch_of(const Call& call, AccountMembers members) {
  core::AccountPatch patch;
  patch.asker = core::administrator_of(call.principal());
  if (members.password) patch.password = std::move(members.password->value);
  if (members.displayName) patch.display_name = std::move(members.displayName->value);
  patch.role = members.role;
  patch.quota_bytes = members.storageLimit;
  return patch;
}

Task<Result<Answer<ManagedAccount>>> answer_account(Call call, std::string name) {
  const auto found = co_await call.services.accounts.show(std::move(name));
  if (!found) co_return failure_of(found);
  co_return Answer<ManagedAccount>{managed_account_of(*found)};
}

Task<Result<Answer<Page<ManagedAccount>>>> list_managed_accounts(Call call,
                                                                 ListPartParameters parameters,
                                                                 NoBody) {
  const ListLimit limit = parameters.limit.value_or(ListLimit());
  std::string after;
  if (parameters.cursor) after = parameters.cursor->value;
  // One more tells whether there is a next page.
  const auto found = co_await call.services.accounts.list(std::move(after), limit.value + 1);
  if (!found) co_return failure_of(found);
  std::vector<ManagedAccount> accounts;
  for (const core::AccountOverview& one : *found) accounts.push_back(managed_account_of(one));
  co_return Answer<Page<ManagedAccount>>{
      page_of(std::move(accounts), limit, std::nullopt,
              [](const ManagedAccount& account) { return account.userName; })};
}

Task<Result<Answer<ManagedAccount>>> show_managed_account(Call call, AccountParameters parameters,
                                                          NoBody) {
  return answer_account(std::move(call), std::move(parameters.name.value));
}

Task<Result<Answer<ManagedAccount>>> make_account(Call call, NoParameters, WantedAccount body) {
  const std::string name = body.userName.value;
  core::AccountPatch patch = account_patch_of(call, std::move(body));
  const auto made = co_await call.services.accounts.add(name, std::move(patch));
  if (!made) co_return failure_of(made);
  auto answer = co_await answer_account(std::move(call), name);
  if (answer) answer->headers.emplace_back("Location", "/api/v2/admin/accounts/" + name);
  co_return answer;
}

Task<Result<Answer<ManagedAccount>>> change_managed_account(Call call, AccountParameters parameters,
                                                            ManagedAccountChanges body) {
  std::string name = std::move(parameters.name.value);
  const std::optional<bool> disabled = body.disabled;
  core::AccountPatch patch = account_patch_of(call, std::move(body));
  patch.disabled = disabled;
  const auto changed = co_await call.services.accounts.change(name, std::move(patch));
  if (!changed) co_return failure_of(changed);
  co_return co_await answer_account(std::move(call), std::move(name));
}

Task<Result<Answer<Nothing>>> remove_account(Call call, AccountRemoval parameters, NoBody) {
  const FilesAfter files = parameters.files.value_or(FilesAfter());
  auto asker = core::administrator_of(call.principal());
  const auto removed = co_await call.services.accounts.remove(std::move(parameters.name.value),
                                                              std::move(asker), files.value);
  if (!removed) co_return failure_of(removed);
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> admin_account_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/accounts";
  constexpr std::string_view kOne = "/api/v2/admin/accounts/{name}";
  Route list{Method::get, kAll, "listAccounts", "List the accounts", "By name, in parts."};
  Route make{Method::post, kAll, "createAccount", "Make an account and its folder",
             "Without a password it cannot sign in until it gets one; its keys work."};
  make.success = 201;
  make.errors = {409, 507};
  Route show{Method::get, kOne, "showManagedAccount", "Show an account", "As the list has it."};
  show.errors = {404};
  Route change{Method::patch, kOne, "changeManagedAccount", "Change an account",
               "Members that are missing stay as they are. What would leave no administrator who "
               "can get in is refused with 403."};
  change.errors = {404, 507};
  Route remove{Method::del, kOne, "removeAccount", "Remove an account",
               "Its keys, sessions and connectors go with it. The last administrator cannot be "
               "removed: 403."};
  remove.success = 204;
  remove.errors = {404, 507};
  for (Route* route : {&list, &make, &show, &change, &remove}) {
    route->rule = CallerRule::administrator;
  }
  return {json_route(list, &list_managed_accounts), json_route(make, &make_account),
          json_route(show, &show_managed_account), json_route(change, &change_managed_account),
          json_route(remove, &remove_account)};
}

}  // namespace v2
}  // namespace coffer::api
