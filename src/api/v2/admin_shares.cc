#include <map>

#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "core/connectors/share_service.h"

namespace coffer::api::v2 {
namespace {

struct ShareDetails {
  static constexpr std::string_view kSchema = "Share";
  FIELD(std::string, id, "Identifier; the share's path begins with __adm_ and it.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, name, "The name, unique.", R"("Team")");
  FIELD(std::string, description, "A description for people.", R"("")");
  FIELD(std::string, folder, "The folder's absolute path on the server.", R"("/srv/team")");
  FIELD(bool, readOnly, "True if nothing in it can be changed.", "false");
  FIELD(bool, everyone, "True if every account sees it.", "false");
  FIELD(std::vector<std::string>, accounts,
        "The accounts that see it, by name; empty if everyone does.", R"(["ann"])");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
};

/// The members that shares have in requests, whether they are made or changed.
struct ShareMembers {
  FIELD(std::optional<Description>, description, "A description for people: up to 1000 characters.",
        R"("")");
  FIELD(std::optional<bool>, readOnly, "True if nothing in it can be changed; false by default.",
        "true");
  FIELD(std::optional<bool>, everyone, "True if every account sees it; false by default.", "false");
  FIELD(std::optional<AccountNames>, accounts,
        "The names of all accounts that see it. Give either these or everyone.", R"(["ann"])");
};

struct WantedShare : ShareMembers {
  FIELD(NewName, name, "The name: a valid name of a folder, unique.", R"("Team")");
  FIELD(ServerFolder, folder,
        "The absolute path of an existing folder beneath the setting share_roots. A change revokes "
        "the keys that are limited to folders of the share.",
        R"("/srv/team")");
};

struct ShareChanges : ShareMembers {
  FIELD(std::optional<AccountNames>, addedAccounts,
        "The names of accounts that see it too, beside those that do when the change is made. Not "
        "for a share that everyone sees.",
        R"(["bob"])");
  FIELD(std::optional<AccountNames>, removedAccounts,
        "The names of accounts that do not see it any more. At least one account must still see "
        "it.",
        R"(["ann"])");
  FIELD(std::optional<NewName>, name, "The name: a valid name of a folder, unique.", R"("Team")");
  FIELD(std::optional<ServerFolder>, folder,
        "The absolute path of an existing folder beneath the setting share_roots. A change revokes "
        "the keys that are limited to folders of the share.",
        R"("/srv/team")");
};

using Names = std::map<AccountId, std::string>;

ShareDetails share_details(const catalog::Share& share, const Names& names) {
  ShareDetails details;
  details.id = share.id.value;
  details.name = share.name;
  details.description = share.description;
  details.folder = share.target;
  details.readOnly = share.read_only;
  details.everyone = share.everyone;
  for (const AccountId id : share.accounts) {
    const auto name = names.find(id);
    if (name != names.end()) details.accounts.push_back(name->second);
  }
  std::ranges::sort(details.accounts);
  details.createdAt = share.created_at;
  return details;
}

Task<Result<Answer<ShareDetails>>> answer_share(Call call, catalog::Share share) {
  CO_TRY(const auto names, co_await call.services.accounts.names());
  co_return Answer<ShareDetails>{share_details(share, names)};
}

/// Only the command line may share any folder; others share folders in share_roots.
Task<Result<std::string>> folder_for(const Call& call, std::string folder) {
  if (call.principal().is_command) {
    co_return co_await call.services.share_roots.locate_any(std::move(folder));
  }
  co_return co_await call.services.share_roots.locate(std::move(folder));
}

core::SharePatch share_patch_of(const Call& call, ShareMembers members) {
  core::SharePatch patch;
  patch.asker = core::administrator_of(call.principal());
  if (members.description) patch.description = std::move(members.description->value);
  patch.read_only = members.readOnly;
  patch.everyone = members.everyone;
  if (members.accounts) patch.accounts = std::move(members.accounts->value);
  return patch;
}

Task<Result<Answer<Page<ShareDetails>>>> list_all_shares(Call call, ListPartParameters parameters,
                                                         NoBody) {
  CO_TRY(const auto shares, co_await call.services.shares.list());
  CO_TRY(const auto names, co_await call.services.accounts.names());
  std::vector<ShareDetails> all;
  for (const catalog::Share& share : shares) all.push_back(share_details(share, names));
  co_return Answer<Page<ShareDetails>>{
      page_of(std::move(all), parameters.limit, parameters.cursor,
              [](const ShareDetails& share) { return share.name; })};
}

Task<Result<Answer<ShareDetails>>> show_share(Call call, EntryParameters parameters, NoBody) {
  ShareId id{std::move(parameters.id.value)};
  CO_TRY(auto share, co_await call.services.shares.get(std::move(id)));
  co_return co_await answer_share(std::move(call), std::move(share));
}

Task<Result<Answer<ShareDetails>>> make_share(Call call, NoParameters, WantedShare body) {
  CO_TRY(auto folder, co_await folder_for(call, std::move(body.folder.value)));
  std::string name(body.name.name->str());
  core::SharePatch patch = share_patch_of(call, std::move(body));
  patch.name = std::move(name);
  patch.target = std::move(folder);
  CO_TRY(auto made, co_await call.services.shares.add(std::move(patch)));
  CO_TRY(auto answer, co_await answer_share(std::move(call), std::move(made)));
  answer.headers.emplace_back("Location", "/api/v2/admin/shares/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<ShareDetails>>> change_share(Call call, EntryParameters parameters,
                                                ShareChanges body) {
  std::optional<std::string> target;
  if (body.folder) {
    CO_TRY(target, co_await folder_for(call, std::move(body.folder->value)));
  }
  std::optional<std::string> name;
  if (body.name) name = body.name->name->str();
  auto added = std::move(body.addedAccounts);
  auto removed = std::move(body.removedAccounts);
  core::SharePatch patch = share_patch_of(call, std::move(body));
  patch.name = std::move(name);
  patch.target = std::move(target);
  if (added) patch.added_accounts = std::move(added->value);
  if (removed) patch.removed_accounts = std::move(removed->value);
  ShareId id{std::move(parameters.id.value)};
  CO_TRY(auto changed, co_await call.services.shares.change(std::move(id), std::move(patch)));
  co_return co_await answer_share(std::move(call), std::move(changed));
}

Task<Result<void>> remove_share(Call call, EntryParameters parameters, NoBody) {
  ShareId id{std::move(parameters.id.value)};
  auto asker = core::administrator_of(call.principal());
  co_return co_await call.services.shares.remove(std::move(id), std::move(asker));
}

Task<Result<void>> test_share(Call call, EntryParameters parameters, NoBody) {
  ShareId id{std::move(parameters.id.value)};
  CO_TRY(const catalog::Share share, co_await call.services.shares.get(std::move(id)));
  co_return co_await call.services.shares.test(share);
}

struct FolderChoice {
  static constexpr std::string_view kSchema = "FolderChoice";
  FIELD(std::string, name, "The name; for the folders of share_roots, the whole path.",
        R"("team")");
  FIELD(std::string, path, "The absolute path on the server.", R"("/srv/team")");
};

struct FolderParameters : ListPartParameters {
  FIELD(std::optional<ServerFolder>, path,
        "The absolute path of a folder beneath the setting share_roots. If it is missing, the "
        "folders of that setting are listed.",
        R"("/srv")");
};

Task<Result<std::vector<FolderChoice>>> choices_in(core::ShareRoots& share_roots,
                                                   std::optional<ServerFolder> folder) {
  std::vector<FolderChoice> choices;
  if (!folder) {
    CO_TRY(const auto roots, share_roots.roots());
    for (const std::string& root : roots) choices.push_back({root, root});
    co_return choices;
  }
  CO_TRY(const auto names, co_await share_roots.folders_in(folder->value));
  const std::string above = folder->value == "/" ? "/" : folder->value + '/';
  for (const std::string& name : names) choices.push_back({name, above + name});
  co_return choices;
}

Task<Result<Answer<Page<FolderChoice>>>> list_folder_choices(Call call, FolderParameters parameters,
                                                             NoBody) {
  CO_TRY(auto choices, co_await choices_in(call.services.share_roots, std::move(parameters.path)));
  co_return Answer<Page<FolderChoice>>{
      page_of(std::move(choices), parameters.limit, parameters.cursor,
              [](const FolderChoice& choice) { return choice.name; })};
}

}  // namespace

std::vector<Route> admin_share_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/shares";
  constexpr std::string_view kOne = "/api/v2/admin/shares/{id}";
  return {json_route(Route(Method::get, kAll, "listShares", "List the shared folders",
                           "By name, in pages.", CallerRule::administrator),
                     &list_all_shares),
          json_route(Route(Method::post, kAll, "createShare", "Share a folder of the server",
                           "Folders outside the setting share_roots are refused: 403. Only the "
                           "command line shares them.",
                           CallerRule::administrator, 201, {404, 409, 507}),
                     &make_share),
          json_route(Route(Method::get, kOne, "showShare", "Show a shared folder",
                           "The same data as in the list.", CallerRule::administrator, 200, {404}),
                     &show_share),
          json_route(Route(Method::patch, kOne, "changeShare", "Change a shared folder",
                           "Missing members stay unchanged. The change applies from the next "
                           "request on, also to running work.",
                           CallerRule::administrator, 200, {404, 409, 507}),
                     &change_share),
          json_route(Route(Method::del, kOne, "removeShare", "Withdraw a shared folder",
                           "The folder and its files stay on the server.",
                           CallerRule::administrator, 204, {404, 507}),
                     &remove_share),
          json_route(Route(Method::post, "/api/v2/admin/shares/{id}/test", "testShare",
                           "Test a shared folder", "Lists the folder. An error says what is wrong.",
                           CallerRule::administrator, 204, {404}),
                     &test_share)};
}

std::vector<Route> admin_folder_routes() {
  return {json_route(
      Route(http::Method::get, "/api/v2/admin/folders", "listServerFolders",
            "List folders of the server that can be shared",
            "By name, in pages. Only folders beneath the setting share_roots: 403 for others, or "
            "if the setting is empty. Links that lead out of them are not followed.",
            CallerRule::administrator, 200, {404}),
      &list_folder_choices)};
}

}  // namespace coffer::api::v2
