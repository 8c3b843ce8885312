#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command_client.h"
#include "app/output.h"
#include "app/wrong_words.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kShares = "/api/v2/admin/shares";

struct ShareOptions : RequestOptions {
  std::string which;
  std::optional<std::string> name;
  std::optional<std::string> target;
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::vector<std::string> accounts;
  std::vector<std::string> removed_accounts;
  bool everyone = false;
  bool not_everyone = false;
};

json::object share_body(const ShareOptions& options) {
  json::object body;
  if (options.name) body["name"] = *options.name;
  if (options.description) body["description"] = *options.description;
  if (options.read_only) body["readOnly"] = *options.read_only;
  if (options.everyone) body["everyone"] = true;
  if (options.not_everyone) body["everyone"] = false;
  if (options.target) {
    std::error_code no_working_folder;  // The API refuses a path that is not absolute.
    const auto target = std::filesystem::absolute(*options.target, no_working_folder);
    body["folder"] = target.lexically_normal().string();
  }
  return body;
}

/// A share as `--json` prints it: the folder is called as the option that sets it.
json::object shown_share(json::object share) {
  share["target"] = share["folder"];
  share.erase("folder");
  return share;
}

void add_share_to(Table& table, const json::object& share) {
  std::string who = is_true(share, "everyone") ? "everyone" : "";
  for (const json::value& account : share.at("accounts").as_array()) {
    who += (who.empty() ? "" : ", ") + std::string(account.as_string());
  }
  table.add({text_in(share, "id"), text_in(share, "name"), text_in(share, "folder"),
             is_true(share, "readOnly") ? "read-only" : "writable", who});
}

Table share_table() {
  return Table({"ID", "NAME", "FOLDER", "RIGHTS", "ACCOUNTS"});
}

int show_share(const ShareOptions& options, const Result<json::value>& share) {
  if (!share) {
    return options.which.empty() ? complain(share.error()) : complain(options.which, share.error());
  }
  Table table = share_table();
  add_share_to(table, share->as_object());
  if (options.json) {
    print(json::serialize(shown_share(share->as_object())));
  } else {
    table.print();
  }
  return 0;
}

int add_share(const ShareOptions& options) {
  if (!options.name || !options.target) {
    return complain("A share needs a name (--name) and a folder (--target).");
  }
  if (!options.everyone && options.accounts.empty()) {
    return complain("Say who sees the share: --account NAME, again for each, or --everyone.");
  }
  json::object body = share_body(options);
  if (!options.accounts.empty()) body["accounts"] = json::value_from(options.accounts);
  return with_client(options, [&](CommandClient& client) {
    return show_share(options, client.send(http::Method::post, kShares, body));
  });
}

int list_shares(const ShareOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    auto shares = client.list(kShares);
    if (!shares) return complain(shares.error());
    Table table = share_table();
    for (json::value& each : *shares) {
      json::object& share = each.as_object();
      add_share_to(table, share);
      share = shown_share(std::move(share));
    }
    return show_list(options.json, *shares, table);
  });
}

/// Runs `work(client, share, target)` on the share that the options name.
template <class Fn>
int with_share(const ShareOptions& options, Fn work) {
  return with_client(options, [&](CommandClient& client) {
    const auto share = client.find(kShares, options.which, "There is no such share.");
    if (!share) return complain(options.which, share.error());
    return work(client, *share, fmt::format("{}/{}", kShares, text_in(*share, "id")));
  });
}

json::object share_change(const ShareOptions& options) {
  json::object body = share_body(options);
  if (!options.accounts.empty()) body["addedAccounts"] = json::value_from(options.accounts);
  if (!options.removed_accounts.empty()) {
    body["removedAccounts"] = json::value_from(options.removed_accounts);
  }
  return body;
}

int set_share(const ShareOptions& options) {
  return with_share(
      options, [&](CommandClient& client, const json::object&, const std::string& target) {
        return show_share(options, client.send(http::Method::patch, target, share_change(options)));
      });
}

int remove_share(const ShareOptions& options) {
  return with_share(options,
                    [&](CommandClient& client, const json::object&, const std::string& target) {
                      const auto removed = client.send(http::Method::del, target);
                      if (!removed) return complain(options.which, removed.error());
                      print(options.json ? json::serialize(json::object{{"removed", options.which}})
                                         : "The share was withdrawn; its folder stays.");
                      return 0;
                    });
}

int test_share(const ShareOptions& options) {
  return with_share(
      options, [&](CommandClient& client, const json::object&, const std::string& target) {
        const auto works = client.send(http::Method::post, target + "/test");
        if (!works) return complain(options.which, works.error());
        print(options.json ? json::serialize(json::object{{"works", true}}) : "It works.");
        return 0;
      });
}

using AddedShare = AddedCommand<ShareOptions>;

void add_share_name(const AddedShare& added) {
  added.command->add_option("SHARE", added.options->which, "The share's id or name")
      ->required()
      ->check(&check_not_empty);
}

void add_share_members(const AddedShare& added) {
  ShareOptions& options = *added.options;
  added.command->add_option("--name", options.name, "Its name, unique");
  added.command->add_option("--target", options.target, "The folder on this server")
      ->check(&check_not_empty);
  added.command->add_option("--description", options.description, "A description for people");
  added.command
      ->add_option("--account", options.accounts, "An account that sees it too; again for each")
      ->allow_extra_args(false);
  added.command->add_flag("--everyone", options.everyone, "Every account sees it");
}

}  // namespace

void add_share_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("share", "Share folders of this server with accounts");
  group->require_subcommand(1);
  const AddedShare made = add_command(*group, "add", "Share a folder", &add_share, chosen);
  add_share_members(made);
  made.command->add_flag_callback(
      "--read-only", [options = made.options] { options->read_only = true; },
      "Accounts can only read it");
  add_command(*group, "list", "List the shares", &list_shares, chosen);
  const AddedShare set = add_command(
      *group, "set", "Change a share; another target revokes the keys limited to its folders",
      &set_share, chosen);
  add_share_name(set);
  add_share_members(set);
  set.command
      ->add_option("--no-account", set.options->removed_accounts,
                   "An account that does not see it any more; again for each")
      ->allow_extra_args(false);
  set.command
      ->add_flag("--no-everyone", set.options->not_everyone,
                 "Only the named accounts see it: --account names them")
      ->excludes("--everyone");
  set.command->add_option("--read-only", set.options->read_only, "true or false")
      ->check(&check_true_or_false);
  add_share_name(add_command(*group, "remove", "Withdraw a share", &remove_share, chosen));
  add_share_name(add_command(*group, "test", "Test a share", &test_share, chosen));
}

}  // namespace coffer::app
