#include <map>

#include "api/v2/account_names.h"
#include "api/v2/bounded_text.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"
#include "api/v2/server_folder.h"
#include "core/connectors/share_service.h"

namespace coffer::api {

namespace v2 {

struct ShareDetails {
  std::string id;
  std::string name;
  std::string description;
  std::string folder;
  bool readOnly = false;
  bool everyone = false;
  std::vector<std::string> accounts;
  Timestamp createdAt;
};
BOOST_DESCRIBE_STRUCT(ShareDetails, (),
                      (id, name, description, folder, readOnly, everyone, accounts, createdAt))

/// What can be said of a share, whether it is made or changed.
struct ShareMembers {
  std::optional<Description> description;
  std::optional<bool> readOnly;
  std::optional<bool> everyone;
  std::optional<AccountNames> accounts;
};
BOOST_DESCRIBE_STRUCT(ShareMembers, (), (description, readOnly, everyone, accounts))

struct WantedShare : ShareMembers {
  NewName name;
  ServerFolder folder;
};
BOOST_DESCRIBE_STRUCT(WantedShare, (ShareMembers), (name, folder))

struct ShareChanges : ShareMembers {
  std::optional<NewName> name;
  std::optional<ServerFolder> folder;
};
BOOST_DESCRIBE_STRUCT(ShareChanges, (ShareMembers), (name, folder))

struct ShareParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(ShareParameters, (), (id))

}  // namespace v2

template <>
struct Docs<v2::ShareDetails> {
  static constexpr std::string_view name = "Share";
  static constexpr std::array<FieldDoc, 8> fields{{
      {"id", "Identifier; the share's path begins with __adm_ and it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
      {"name", "How it is called, unique.", R"("Team")"},
      {"description", "What it is, for people.", R"("")"},
      {"folder", "The folder's absolute path on the server.", R"("/srv/team")"},
      {"readOnly", "Whether nothing can be changed in it.", "false"},
      {"everyone", "Whether every account sees it.", "false"},
      {"accounts", "The accounts that see it, by name; empty if everyone does.", R"(["ann"])"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
  }};
};

inline constexpr std::array<FieldDoc, 6> kShareFields{{
    {"description", "What it is, for people: up to 1000 characters.", R"("")"},
    {"readOnly", "Whether nothing can be changed in it; false by default.", "true"},
    {"everyone", "Whether every account sees it; false by default.", "false"},
    {"accounts",
     "The accounts that see it, all of them and no others, by name. Either these or everyone.",
     R"(["ann"])"},
    {"name", "How it is called: a name that a folder could have, unique.", R"("Team")"},
    {"folder",
     "An existing folder beneath the setting share_roots, by its absolute path. Another one "
     "revokes "
     "the keys that are limited to the share's folders.",
     R"("/srv/team")"},
}};

template <>
struct Docs<v2::WantedShare> {
  static constexpr auto fields = kShareFields;
};
template <>
struct Docs<v2::ShareChanges> {
  static constexpr auto fields = kShareFields;
};

template <>
struct Docs<v2::ShareParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The share's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

namespace v2 {
namespace {

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

Task<Result<Answer<ShareDetails>>> answer_share(Call call, Result<catalog::Share> share) {
  if (!share) co_return failure_of(std::move(share));
  const auto names = co_await call.services.accounts.names();
  if (!names) co_return failure_of(names);
  co_return Answer<ShareDetails>{share_details(*share, *names)};
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
  const auto shares = co_await call.services.shares.list();
  if (!shares) co_return failure_of(shares);
  const auto names = co_await call.services.accounts.names();
  if (!names) co_return failure_of(names);
  std::vector<ShareDetails> all;
  for (const catalog::Share& share : *shares) all.push_back(share_details(share, *names));
  co_return Answer<Page<ShareDetails>>{
      page_of(std::move(all), parameters.limit, parameters.cursor,
              [](const ShareDetails& share) { return share.name; })};
}

Task<Result<Answer<ShareDetails>>> show_share(Call call, ShareParameters parameters, NoBody) {
  ShareId id{std::move(parameters.id.value)};
  auto share = co_await call.services.shares.get(std::move(id));
  co_return co_await answer_share(std::move(call), std::move(share));
}

Task<Result<Answer<ShareDetails>>> make_share(Call call, NoParameters, WantedShare body) {
  auto folder = co_await call.services.share_roots.locate(std::move(body.folder.value));
  if (!folder) co_return failure_of(std::move(folder));
  std::string name(body.name.name->str());
  core::SharePatch patch = share_patch_of(call, std::move(body));
  patch.name = std::move(name);
  patch.target = *std::move(folder);
  auto made = co_await call.services.shares.add(std::move(patch));
  auto answer = co_await answer_share(std::move(call), std::move(made));
  if (answer) {
    answer->headers.emplace_back("Location", "/api/v2/admin/shares/" + answer->data.id);
  }
  co_return answer;
}

Task<Result<Answer<ShareDetails>>> change_share(Call call, ShareParameters parameters,
                                                ShareChanges body) {
  std::optional<std::string> target;
  if (body.folder) {
    auto folder = co_await call.services.share_roots.locate(std::move(body.folder->value));
    if (!folder) co_return failure_of(std::move(folder));
    target = *std::move(folder);
  }
  std::optional<std::string> name;
  if (body.name) name = body.name->name->str();
  core::SharePatch patch = share_patch_of(call, std::move(body));
  patch.name = std::move(name);
  patch.target = std::move(target);
  ShareId id{std::move(parameters.id.value)};
  auto changed = co_await call.services.shares.change(std::move(id), std::move(patch));
  co_return co_await answer_share(std::move(call), std::move(changed));
}

Task<Result<Answer<Nothing>>> remove_share(Call call, ShareParameters parameters, NoBody) {
  ShareId id{std::move(parameters.id.value)};
  auto asker = core::administrator_of(call.principal());
  auto removed = co_await call.services.shares.remove(std::move(id), std::move(asker));
  if (!removed) co_return failure_of(std::move(removed));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> admin_share_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/shares";
  constexpr std::string_view kOne = "/api/v2/admin/shares/{id}";
  Route list{Method::get, kAll, "listShares", "List the shared folders", "By name, in parts."};
  Route make{Method::post, kAll, "createShare", "Share a folder of the server",
             "Folders outside the setting share_roots are refused with 403, and shared by the "
             "command line alone."};
  make.success = 201;
  make.errors = {404, 409, 507};
  Route show{Method::get, kOne, "showShare", "Show a shared folder", "As the list has it."};
  show.errors = {404};
  Route change{Method::patch, kOne, "changeShare", "Change a shared folder",
               "Members that are missing stay as they are. Counts from the next request on, also "
               "for what is under way."};
  change.errors = {404, 409, 507};
  Route remove{Method::del, kOne, "removeShare", "Withdraw a shared folder",
               "The folder and its files stay on the server."};
  remove.success = 204;
  remove.errors = {404, 507};
  for (Route* route : {&list, &make, &show, &change, &remove}) {
    route->rule = CallerRule::administrator;
  }
  return {json_route(list, &list_all_shares), json_route(make, &make_share),
          json_route(show, &show_share), json_route(change, &change_share),
          json_route(remove, &remove_share)};
}

}  // namespace v2
}  // namespace coffer::api
