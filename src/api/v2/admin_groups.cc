#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"
#include "catalog/groups.h"

namespace coffer::api::v2 {
namespace {

namespace json = boost::json;

using GroupName = BoundedText<1, 100>;

/// As many bytes as the quota of an account can have.
struct DefaultQuota {
  static constexpr std::uint64_t kMost = INT64_MAX;
  std::uint64_t bytes = 0;

  static json::object schema() { return {{"type", "integer"}, {"minimum", 0}, {"maximum", kMost}}; }
};

Result<void> from_json(const json::value& value, DefaultQuota& out) {
  TRY_VOID(v2::from_json(value, out.bytes));
  if (out.bytes <= DefaultQuota::kMost) return {};
  return fail(ErrorCode::invalid, fmt::format("must be {} or less", DefaultQuota::kMost));
}

struct GroupDetails {
  static constexpr std::string_view kSchema = "Group";
  FIELD(std::string, id, "Identifier.", R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, name, "The name, unique.", R"("staff")");
  FIELD(std::string, description, "A description for people.", R"("")");
  FIELD(std::optional<std::uint64_t>, defaultQuotaBytes,
        "The quota of accounts that a provider's sign-in makes as members, where no other rule "
        "gives one; 0: unlimited, null: the group gives none.",
        "107374182400");
  FIELD(bool, fromProvider, "True if the provider of sign-in says who is a member.", "false");
  FIELD(std::vector<std::string>, members, "The accounts in it, by name.", R"(["ann"])");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
};

/// The members that groups have in requests, whether they are made or changed.
struct GroupMembers {
  FIELD(std::optional<Description>, description, "A description for people: up to 1000 characters.",
        R"("")");
  FIELD(std::optional<DefaultQuota>, defaultQuotaBytes,
        "The quota of accounts that a provider's sign-in makes as members; 0: unlimited. Without "
        "it the group gives none.",
        "107374182400");
  FIELD(std::optional<bool>, fromProvider,
        "True if the provider of sign-in says who is a member: at each sign-in an account joins "
        "the groups of this kind that the provider names, and leaves the others.",
        "true");
  FIELD(std::optional<AccountNames>, members, "The names of all accounts in it.", R"(["ann"])");
};

struct WantedGroup : GroupMembers {
  FIELD(GroupName, name, "The name, unique whatever its case and accents: 1 to 100 characters.",
        R"("staff")");
};

struct GroupChanges : GroupMembers {
  FIELD(std::optional<GroupName>, name,
        "The name, unique whatever its case and accents: 1 to 100 characters.", R"("staff")");
  FIELD(std::optional<bool>, removesDefaultQuota, "True if the group is to give no quota.", "true");
  FIELD(std::optional<AccountNames>, addedMembers,
        "The names of accounts that join those that are in it when the change is made.",
        R"(["bob"])");
  FIELD(std::optional<AccountNames>, removedMembers, "The names of accounts that leave it.",
        R"(["ann"])");
};

GroupDetails group_details(const catalog::GroupWithMembers& one) {
  GroupDetails details;
  details.id = one.group.id;
  details.name = one.group.name;
  details.description = one.group.description;
  details.defaultQuotaBytes = one.group.default_quota_bytes;
  details.fromProvider = one.group.from_provider;
  details.members = one.members;
  details.createdAt = one.group.created_at;
  return details;
}

catalog::GroupChange group_change_of(const Call& call, GroupMembers members) {
  catalog::GroupChange change;
  change.asker = core::administrator_of(call.principal());
  if (members.description) change.description = std::move(members.description->value);
  if (members.defaultQuotaBytes)
    change.default_quota_bytes.emplace(members.defaultQuotaBytes->bytes);
  change.from_provider = members.fromProvider;
  if (members.members) change.members = std::move(members.members->value);
  return change;
}

Task<Result<Answer<Page<GroupDetails>>>> list_groups(Call call, ListPartParameters parameters,
                                                     NoBody) {
  CO_TRY(const auto groups, co_await call.services.groups.list());
  std::vector<GroupDetails> all;
  for (const catalog::GroupWithMembers& one : groups) all.push_back(group_details(one));
  co_return Answer<Page<GroupDetails>>{
      page_of(std::move(all), parameters.limit, parameters.cursor,
              [](const GroupDetails& group) { return group.name; })};
}

Task<Result<Answer<GroupDetails>>> show_group(Call call, EntryParameters parameters, NoBody) {
  CO_TRY(const auto found, co_await call.services.groups.find(std::move(parameters.id.value)));
  co_return Answer<GroupDetails>{group_details(found)};
}

Task<Result<Answer<GroupDetails>>> make_group(Call call, NoParameters, WantedGroup body) {
  std::string name = std::move(body.name.value);
  auto wanted = group_change_of(call, std::move(body));
  wanted.name = std::move(name);
  CO_TRY(const auto made, co_await call.services.groups.create(std::move(wanted)));
  Answer<GroupDetails> answer;
  answer.data = group_details(made);
  answer.headers.emplace_back("Location", "/api/v2/admin/groups/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<GroupDetails>>> change_group(Call call, EntryParameters parameters,
                                                GroupChanges body) {
  auto name = std::move(body.name);
  auto added = std::move(body.addedMembers);
  auto removed = std::move(body.removedMembers);
  const bool gives_none = body.removesDefaultQuota == true;
  auto change = group_change_of(call, std::move(body));
  if (name) change.name = std::move(name->value);
  if (added) change.added_members = std::move(added->value);
  if (removed) change.removed_members = std::move(removed->value);
  if (gives_none) change.default_quota_bytes.emplace(std::nullopt);
  std::string id = std::move(parameters.id.value);
  CO_TRY(const auto changed,
         co_await call.services.groups.change(std::move(id), std::move(change)));
  co_return Answer<GroupDetails>{group_details(changed)};
}

Task<Result<void>> remove_group(Call call, EntryParameters parameters, NoBody) {
  std::string id = std::move(parameters.id.value);
  auto asker = core::administrator_of(call.principal());
  co_return co_await call.services.groups.remove(std::move(id), std::move(asker));
}

}  // namespace

std::vector<Route> admin_group_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/groups";
  constexpr std::string_view kOne = "/api/v2/admin/groups/{id}";
  return {json_route(Route(Method::get, kAll, "listGroups", "List groups", "By name, in pages.",
                           CallerRule::administrator),
                     &list_groups),
          json_route(Route(Method::post, kAll, "createGroup", "Make a group",
                           "Items can be shared with it, which its members then receive.",
                           CallerRule::administrator, 201, {404, 409, 507}),
                     &make_group),
          json_route(Route(Method::get, kOne, "showGroup", "Show a group",
                           "The same data as in the list.", CallerRule::administrator, 200, {404}),
                     &show_group),
          json_route(Route(Method::patch, kOne, "changeGroup", "Change a group",
                           "Missing members stay unchanged. Who leaves it loses what is shared "
                           "with it from the next request on, also for running work. The quota of "
                           "an account that is there does not change.",
                           CallerRule::administrator, 200, {404, 409, 507}),
                     &change_group),
          json_route(Route(Method::del, kOne, "removeGroup", "Remove a group",
                           "Its members lose what was shared with it. The accounts stay.",
                           CallerRule::administrator, 204, {404, 507}),
                     &remove_group)};
}

}  // namespace coffer::api::v2
