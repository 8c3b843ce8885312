#include "app/share_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/app_context.h"
#include "app/output.h"
#include "app/table.h"
#include "app/wrong_words.h"
#include "async/run.h"
#include "core/connectors/share_service.h"

namespace coffer::app {
namespace {

struct ShareOptions {
  std::shared_ptr<CommonOptions> common;
  std::string which;
  std::optional<std::string> name;
  std::optional<std::string> target;
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::vector<std::string> accounts;
  std::vector<std::string> removed_accounts;
  bool everyone = false;
  bool not_everyone = false;
  bool json = false;
};

/// What the commands of this group work with.
struct CommandContext {
  const ShareOptions& options;
  AppContext& app;
  core::ShareService service;

  /// Accounts by their names, for people.
  Result<std::map<AccountId, std::string>> account_names() {
    std::map<AccountId, std::string> names;
    const auto accounts = run(app.catalog().accounts().list());
    if (!accounts) return failure_of(accounts);
    for (const catalog::Account& account : *accounts) names[account.id] = account.name;
    return names;
  }
};

core::SharePatch patch_of(const ShareOptions& options) {
  core::SharePatch patch;
  patch.name = options.name;
  patch.description = options.description;
  patch.read_only = options.read_only;
  if (options.target) {
    std::error_code no_working_folder;  // What cannot be made absolute is refused for that.
    const auto target = std::filesystem::absolute(*options.target, no_working_folder);
    patch.target = target.lexically_normal().string();
  }
  if (options.everyone) patch.everyone = true;
  if (options.not_everyone) patch.everyone = false;
  return patch;
}

core::SharePatch new_share_of(const ShareOptions& options) {
  core::SharePatch patch = patch_of(options);
  if (!options.accounts.empty()) patch.accounts = options.accounts;
  return patch;
}

core::SharePatch change_of(const ShareOptions& options) {
  core::SharePatch patch = patch_of(options);
  patch.added_accounts = options.accounts;
  patch.removed_accounts = options.removed_accounts;
  return patch;
}

int show(CommandContext& context, const std::vector<catalog::Share>& shares, bool is_list) {
  const auto names = context.account_names();
  if (!names) return complain(names.error());
  boost::json::array all;
  Table table({"ID", "NAME", "FOLDER", "RIGHTS", "ACCOUNTS"});
  for (const catalog::Share& share : shares) {
    boost::json::array accounts;
    std::string who = share.everyone ? "everyone" : "";
    for (const AccountId id : share.accounts) {
      const auto& name = names->at(id);
      accounts.emplace_back(name);
      who += (who.empty() ? "" : ", ") + name;
    }
    if (!context.options.json) {
      table.add({share.id.value, share.name, share.target,
                 share.read_only ? "read-only" : "writable", who});
      continue;
    }
    all.push_back(boost::json::object{{"id", share.id.value},
                                      {"name", share.name},
                                      {"description", share.description},
                                      {"target", share.target},
                                      {"readOnly", share.read_only},
                                      {"everyone", share.everyone},
                                      {"accounts", std::move(accounts)},
                                      {"createdAt", format_timestamp(share.created_at)}});
  }
  if (context.options.json) print(is_list ? serialize(all) : serialize(all.at(0)));
  table.print();
  return 0;
}

int add_share(CommandContext& context) {
  const ShareOptions& options = context.options;
  if (!options.name || !options.target) {
    return complain("A share needs a name (--name) and a folder (--target).");
  }
  if (!options.everyone && options.accounts.empty()) {
    return complain("Say who sees the share: --account NAME, again for each, or --everyone.");
  }
  const auto share = run(context.service.add(new_share_of(context.options)));
  return share ? show(context, {*share}, false) : complain(share.error());
}

int list_shares(CommandContext& context) {
  const auto shares = run(context.service.list());
  return shares ? show(context, *shares, true) : complain(shares.error());
}

int set_share(CommandContext& context) {
  const auto share = run(context.service.change(context.options.which, change_of(context.options)));
  return share ? show(context, {*share}, false) : complain(context.options.which, share.error());
}

int remove_share(CommandContext& context) {
  const auto removed = run(context.service.remove(context.options.which));
  if (!removed) return complain(context.options.which, removed.error());
  print(context.options.json ? serialize(boost::json::object{{"removed", context.options.which}})
                             : "The share was withdrawn; its folder stays.");
  return 0;
}

int test_share(CommandContext& context) {
  const auto share = run(context.service.find(context.options.which));
  if (!share) return complain(context.options.which, share.error());
  const auto works = run(context.service.test(*share));
  if (!works) return complain(context.options.which, works.error());
  print(context.options.json ? serialize(boost::json::object{{"works", true}}) : "It works.");
  return 0;
}

using Runner = int (*)(CommandContext&);

int run_command(const ShareOptions& options, Runner runner) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto app = AppContext::open(*settings, 2);
  if (!app) return complain(app.error());
  CommandContext context{options, **app, {(*app)->catalog(), (*app)->mount_backends()}};
  return runner(context);
}

struct Added {
  CLI::App* command;
  std::shared_ptr<ShareOptions> options;
};

Added add(CLI::App& group, std::string name, std::string help, Runner runner, Action& chosen) {
  auto options = std::make_shared<ShareOptions>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([&chosen, options, runner] {
    chosen = [options, runner] { return run_command(*options, runner); };
  });
  return {command, options};
}

void add_which(const Added& added) {
  added.command->add_option("SHARE", added.options->which, "The share's id or name")->required();
}

void add_patches(const Added& added) {
  ShareOptions& options = *added.options;
  added.command->add_option("--name", options.name, "How it is called, unique");
  added.command->add_option("--target", options.target, "The folder on this server")
      ->check(&check_not_empty);
  added.command->add_option("--description", options.description, "What it is, for people");
  added.command
      ->add_option("--account", options.accounts,
                   "An account that sees it, besides those that do already; again for each")
      ->allow_extra_args(false);
  added.command->add_flag("--everyone", options.everyone, "Every account sees it");
}

}  // namespace

void add_share_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("share", "Share folders of this server with accounts");
  group->require_subcommand(1);
  const Added made = add(*group, "add", "Share a folder", &add_share, chosen);
  add_patches(made);
  made.command->add_flag_callback(
      "--read-only", [options = made.options] { options->read_only = true; },
      "Nothing can be changed");
  add(*group, "list", "List the shares", &list_shares, chosen);
  const Added set =
      add(*group, "set", "Change a share; another target revokes the keys limited to its folders",
          &set_share, chosen);
  add_which(set);
  add_patches(set);
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
  add_which(add(*group, "remove", "Withdraw a share", &remove_share, chosen));
  add_which(add(*group, "test", "See whether a share works", &test_share, chosen));
}

}  // namespace coffer::app
