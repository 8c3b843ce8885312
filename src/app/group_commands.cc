#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command_client.h"
#include "app/output.h"
#include "app/wrong_words.h"
#include "base/size_format.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kGroups = "/api/v2/admin/groups";

struct GroupOptions : RequestOptions {
  std::string which;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> quota;
  std::optional<bool> from_provider;
  std::vector<std::string> members;
  std::vector<std::string> removed_members;
  bool has_no_quota = false;
};

/// Returns the body of a request; nullopt, after a complaint, if an option is malformed.
std::optional<json::object> group_body(const GroupOptions& options) {
  json::object body;
  if (options.name) body["name"] = *options.name;
  if (options.description) body["description"] = *options.description;
  if (options.from_provider) body["fromProvider"] = *options.from_provider;
  if (options.has_no_quota) body["removesDefaultQuota"] = true;
  if (!options.quota) return body;
  const auto bytes = parse_size(*options.quota);
  if (!bytes) {
    complain("--quota is a size such as 10GB, a whole number of bytes, or 0 for unlimited.");
    return std::nullopt;
  }
  body["defaultQuotaBytes"] = *bytes;
  return body;
}

Table group_table() {
  return Table({"ID", "NAME", "QUOTA", "MEMBERS FROM", "MEMBERS"});
}

std::string group_quota(const json::object& group) {
  const json::value& quota = group.at("defaultQuotaBytes");
  if (quota.is_null()) return "none";
  const auto bytes = quota.to_number<std::uint64_t>();
  return bytes == 0 ? "unlimited" : format_size(bytes);
}

void add_group_to(Table& table, const json::object& group) {
  std::string members;
  for (const json::value& member : group.at("members").as_array()) {
    members += (members.empty() ? "" : ", ") + std::string(member.as_string());
  }
  table.add({text_in(group, "id"), text_in(group, "name"), group_quota(group),
             is_true(group, "fromProvider") ? "provider" : "here", members});
}

int show_group(const GroupOptions& options, const Result<json::value>& group) {
  if (!group) {
    return options.which.empty() ? complain(group.error()) : complain(options.which, group.error());
  }
  Table table = group_table();
  add_group_to(table, group->as_object());
  if (options.json) {
    print(json::serialize(*group));
  } else {
    table.print();
  }
  return 0;
}

int add_group(const GroupOptions& options) {
  if (!options.name) return complain("A group needs a name (--name).");
  auto body = group_body(options);
  if (!body) return 1;
  if (!options.members.empty()) (*body)["members"] = json::value_from(options.members);
  return with_client(options, [&](CommandClient& client) {
    return show_group(options, client.send(http::Method::post, kGroups, *body));
  });
}

int list_groups(const GroupOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto groups = client.list(kGroups);
    if (!groups) return complain(groups.error());
    Table table = group_table();
    for (const json::value& each : *groups) add_group_to(table, each.as_object());
    return show_list(options.json, *groups, table);
  });
}

/// Runs `work(client, target)` on the group that the options name.
template <class Fn>
int with_group(const GroupOptions& options, Fn work) {
  return with_client(options, [&](CommandClient& client) {
    const auto group = client.find(kGroups, options.which, "There is no such group.");
    if (!group) return complain(options.which, group.error());
    return work(client, fmt::format("{}/{}", kGroups, text_in(*group, "id")));
  });
}

int set_group(const GroupOptions& options) {
  auto body = group_body(options);
  if (!body) return 1;
  if (!options.members.empty()) (*body)["addedMembers"] = json::value_from(options.members);
  if (!options.removed_members.empty()) {
    (*body)["removedMembers"] = json::value_from(options.removed_members);
  }
  return with_group(options, [&](CommandClient& client, const std::string& target) {
    return show_group(options, client.send(http::Method::patch, target, *body));
  });
}

int remove_group(const GroupOptions& options) {
  return with_group(options, [&](CommandClient& client, const std::string& target) {
    const auto removed = client.send(http::Method::del, target);
    if (!removed) return complain(options.which, removed.error());
    print(options.json ? json::serialize(json::object{{"removed", options.which}})
                       : "The group was removed; its accounts stay.");
    return 0;
  });
}

using AddedGroup = AddedCommand<GroupOptions>;

void add_group_name(const AddedGroup& added) {
  added.command->add_option("GROUP", added.options->which, "The group's id or name")
      ->required()
      ->check(&check_not_empty);
}

void add_group_members(const AddedGroup& added) {
  GroupOptions& options = *added.options;
  added.command->add_option("--name", options.name, "Its name, unique");
  added.command->add_option("--description", options.description, "A description for people");
  added.command->add_option("--quota", options.quota,
                            "For accounts that a provider's sign-in makes as members, as 10GB, or "
                            "bytes; 0 is unlimited");
  added.command
      ->add_option("--from-provider", options.from_provider,
                   "true: the provider of sign-in says who is a member")
      ->check(&check_true_or_false);
  added.command
      ->add_option("--member", options.members, "An account that is to be in it; again for each")
      ->allow_extra_args(false);
}

}  // namespace

void add_group_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("group", "Manage groups of accounts, to share with");
  group->require_subcommand(1);
  add_group_members(add_command(*group, "add", "Make a group", &add_group, chosen));
  add_command(*group, "list", "List the groups", &list_groups, chosen);
  const AddedGroup set = add_command(*group, "set", "Change a group", &set_group, chosen);
  add_group_name(set);
  add_group_members(set);
  set.command
      ->add_option("--no-member", set.options->removed_members,
                   "An account that leaves it; again for each")
      ->allow_extra_args(false);
  set.command->add_flag("--no-quota", set.options->has_no_quota, "It gives no quota")
      ->excludes("--quota");
  add_group_name(
      add_command(*group, "remove", "Remove a group; its accounts stay", &remove_group, chosen));
}

}  // namespace coffer::app
