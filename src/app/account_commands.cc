#include "app/account_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "app/app_context.h"
#include "app/output.h"
#include "app/table.h"
#include "app/terminal_input.h"
#include "app/wrong_words.h"
#include "async/run.h"
#include "base/size_format.h"
#include "core/accounts/account_service.h"

namespace coffer::app {
namespace {

struct AccountOptions {
  std::shared_ptr<CommonOptions> common;
  std::string name;
  std::optional<std::string> display_name;
  std::optional<std::string> role;
  std::optional<std::string> quota;
  std::optional<bool> disabled;
  bool password_stdin = false;
  bool purge = false;
  bool json = false;
};

Result<core::AccountPatch> patch_of(const AccountOptions& options) {
  core::AccountPatch patch;
  patch.display_name = options.display_name;
  patch.disabled = options.disabled;
  if (options.role) patch.role = enum_from<catalog::Role>(*options.role);
  if (options.quota) {
    patch.quota_bytes = parse_size(*options.quota);
    if (!patch.quota_bytes) {
      return fail(ErrorCode::invalid,
                  "--quota is a size such as 10GiB, a whole number of bytes, or 0 for unlimited.");
    }
  }
  if (options.password_stdin) {
    auto password = read_password("Password");
    if (!password) return failure_of(std::move(password));
    patch.password = *std::move(password);
  }
  return patch;
}

std::string home_of(AppContext& app, const catalog::Account& account) {
  return std::filesystem::absolute(app.homes().folder_of(account)).lexically_normal().string();
}

/// An account as `--json` prints it: members that the API has too are called as there.
boost::json::object json_of(AppContext& app, const catalog::Account& account,
                            std::uint64_t used_bytes) {
  return {{"username", account.name},
          {"displayName", account.display_name},
          {"role", catalog::to_string(account.role)},
          {"disabled", account.disabled},
          {"storageUsed", used_bytes},
          {"storageLimit", account.quota_bytes},
          {"homeFolder", home_of(app, account)},
          {"createdAt", format_timestamp(account.created_at)}};
}

std::string quota_of(const catalog::Account& account) {
  return account.quota_bytes == 0 ? "unlimited" : format_size(account.quota_bytes);
}

std::string line_of(const catalog::Account& account, std::uint64_t used_bytes) {
  return fmt::format("{:<24} {:<6} {:>10} of {:<10} {}{}", account.name,
                     catalog::to_string(account.role), format_size(used_bytes), quota_of(account),
                     account.display_name, account.disabled ? " (disabled)" : "");
}

int show(AppContext& app, const catalog::Account& account, std::uint64_t used_bytes, bool json) {
  print(json ? boost::json::serialize(json_of(app, account, used_bytes))
             : line_of(account, used_bytes));
  return 0;
}

using IfMissing = AppContext::IfMissing;

/// Runs `work(app, service)` on the opened data folder.
template <class Fn>
int with_service(const AccountOptions& options, Fn work, IfMissing missing = IfMissing::refuse) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto app = AppContext::open(*settings, 2, missing);
  if (!app) return complain(app.error());
  core::AccountService service((*app)->catalog(), (*app)->homes(), (*app)->pools().common());
  return work(**app, service);
}

int show_changed(AppContext& app, const AccountOptions& options,
                 const Result<catalog::Account>& account) {
  if (!account) return complain(options.name, account.error());
  const auto usage = run(app.catalog().ledger().usage(account->id));
  if (!usage) return complain(usage.error());
  return show(app, *account, usage->used_bytes, options.json);
}

int add_account(const AccountOptions& options) {
  auto patch = patch_of(options);
  if (!patch) return complain(patch.error());
  const auto work = [&](AppContext& app, core::AccountService& service) {
    return show_changed(app, options, run(service.add(options.name, *std::move(patch))));
  };
  return with_service(options, work, IfMissing::make);
}

int set_password(const AccountOptions& options) {
  AccountOptions only = options;
  only.password_stdin = true;
  auto patch = patch_of(only);
  if (!patch) return complain(patch.error());
  return with_service(options, [&](AppContext& app, core::AccountService& service) {
    return show_changed(app, options, run(service.change(options.name, *std::move(patch))));
  });
}

int set_disabled(const AccountOptions& options, bool disabled) {
  return with_service(options, [&](AppContext& app, core::AccountService& service) {
    core::AccountPatch patch;
    patch.disabled = disabled;
    return show_changed(app, options, run(service.change(options.name, std::move(patch))));
  });
}

int disable_account(const AccountOptions& options) {
  return set_disabled(options, true);
}

int enable_account(const AccountOptions& options) {
  return set_disabled(options, false);
}

int set_account(const AccountOptions& options) {
  auto patch = patch_of(options);
  if (!patch) return complain(patch.error());
  return with_service(options, [&](AppContext& app, core::AccountService& service) {
    return show_changed(app, options, run(service.change(options.name, *std::move(patch))));
  });
}

void show_removed(const AccountOptions& options, const std::string& home) {
  if (options.json) {
    print(boost::json::serialize(boost::json::object{
        {"removed", options.name}, {"homeFolder", home}, {"purged", options.purge}}));
  } else if (options.purge) {
    print(fmt::format("The account {} was removed with all its files.", options.name));
  } else {
    print(fmt::format(
        "The account {} was removed. Its files stay in {}, which no other account gets.",
        options.name, home));
  }
}

int remove_account(const AccountOptions& options) {
  return with_service(options, [&](AppContext& app, core::AccountService& service) {
    const auto removed = run(service.remove(options.name));
    if (!removed) return complain(options.name, removed.error());
    if (options.purge) {
      const auto purged = app.homes().purge(*removed);
      if (!purged) return complain("The account was removed, its files were not", purged.error());
    }
    show_removed(options, home_of(app, *removed));
    return 0;
  });
}

int list_accounts(const AccountOptions& options) {
  return with_service(options, [&](AppContext& app, core::AccountService&) {
    const auto accounts = run(app.catalog().accounts().list());
    if (!accounts) return complain(accounts.error());
    boost::json::array all;
    Table table({"NAME", "ROLE", "USED", "QUOTA", "STATE", "DISPLAY NAME"});
    for (const catalog::Account& account : *accounts) {
      const auto usage = run(app.catalog().ledger().usage(account.id));
      if (!usage) return complain(usage.error());
      if (options.json) {
        all.push_back(json_of(app, account, usage->used_bytes));
      } else {
        table.add({account.name, std::string(catalog::to_string(account.role)),
                   format_size(usage->used_bytes), quota_of(account),
                   account.disabled ? "disabled" : "enabled", account.display_name});
      }
    }
    if (options.json) print(boost::json::serialize(all));
    table.print();
    return 0;
  });
}

using Runner = int (*)(const AccountOptions&);

/// A subcommand that runs `runner` when it is the chosen one.
std::pair<CLI::App*, std::shared_ptr<AccountOptions>> add(CLI::App& group, std::string name,
                                                          std::string help, Runner runner,
                                                          Action& chosen) {
  auto options = std::make_shared<AccountOptions>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback(
      [&chosen, options, runner] { chosen = [options, runner] { return runner(*options); }; });
  return {command, options};
}

void add_name(CLI::App& command, AccountOptions& options) {
  command.add_option("NAME", options.name, "The account's name")->required();
}

void add_patches(CLI::App& command, AccountOptions& options) {
  command.add_option("--display-name", options.display_name, "The name shown to people");
  command.add_option("--role", options.role, "What the account may do")
      ->check(CLI::IsMember({"admin", "user"}));
  command.add_option("--quota", options.quota, "As 10GiB, or bytes; 0 is unlimited");
  command.add_flag("--password-stdin", options.password_stdin,
                   "Read the password from standard input");
}

}  // namespace

void add_account_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("account", "Manage accounts");
  group->require_subcommand(1);
  {
    const auto [command, options] =
        add(*group, "add", "Make an account and its folder", &add_account, chosen);
    add_name(*command, *options);
    add_patches(*command, *options);
  }
  add(*group, "list", "List the accounts", &list_accounts, chosen);
  {
    const auto [command, options] = add(*group, "set", "Change an account", &set_account, chosen);
    add_name(*command, *options);
    add_patches(*command, *options);
    command
        ->add_option("--disabled", options->disabled, "true refuses its keys, false accepts them")
        ->check(&check_true_or_false);
  }
  {
    const auto [command, options] =
        add(*group, "password", "Set an account's password, from standard input", &set_password,
            chosen);
    add_name(*command, *options);
  }
  {
    const auto [command, options] =
        add(*group, "disable", "Refuse an account's keys, and end its sessions", &disable_account,
            chosen);
    add_name(*command, *options);
  }
  {
    const auto [command, options] =
        add(*group, "enable", "Accept a disabled account's keys again", &enable_account, chosen);
    add_name(*command, *options);
  }
  {
    const auto [command, options] = add(
        *group, "remove", "Remove an account and its keys; its files stay unless --purge is given",
        &remove_account, chosen);
    add_name(*command, *options);
    command->add_flag("--purge", options->purge, "Delete its files too, for good");
  }
}

}  // namespace coffer::app
