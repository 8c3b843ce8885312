#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "app/app_context.h"
#include "app/command.h"
#include "app/output.h"
#include "async/run.h"

/// What commands about things of one account share.
namespace coffer::app {

struct AccountCommandOptions {
  std::shared_ptr<CommonOptions> common;
  std::string account;
  bool json = false;
};

/// Adds a command with `--account`, `--json` and those that every command has. `Options` derives
/// from the above.
template <class Options>
std::pair<CLI::App*, std::shared_ptr<Options>> add_account_command(CLI::App& group,
                                                                   std::string name,
                                                                   std::string help,
                                                                   int (*runner)(const Options&),
                                                                   Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_option("--account", options->account, "The account's name")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback(
      [&chosen, options, runner] { chosen = [options, runner] { return runner(*options); }; });
  return {command, options};
}

/// Opens the data folder and runs `work(app, account)` for the named account; the exit status.
template <class Fn>
int with_account(const AccountCommandOptions& options, Fn work) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto app = AppContext::open(*settings, 2);
  if (!app) return complain(app.error());
  auto account = run((*app)->catalog().accounts().find(options.account));
  if (!account) return complain(options.account, account.error());
  return work(**app, *std::move(account));
}

}  // namespace coffer::app
