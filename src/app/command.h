#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/settings.h"
#include "app/wrong_words.h"

/// The options that commands share, and the functions that add commands to the program.
namespace coffer::app {

/// The options of every command that works on a data folder.
struct CommonOptions {
  std::string data;
  std::string config;
  std::string database;

  /// Loads the settings. The values of these options and of `more` override all other sources.
  Result<Settings> read(Flags more = {}) const;
  /// Loads them, too, and prints their warning.
  Result<Settings> load(Flags more = {}) const;
};

/// Adds `--data`, `--config` and `--database` to a command.
std::shared_ptr<CommonOptions> add_common_options(CLI::App& command);

/// A function that runs a command and returns the exit status.
using Action = std::function<int()>;

/// The options of all commands that send requests, and the base of each such command's options.
struct RequestOptions {
  std::shared_ptr<CommonOptions> common;
  std::string account;  ///< The account that the command acts for; empty for none.
  bool json = false;
};

template <class Options>
struct AddedCommand {
  CLI::App* command = nullptr;
  std::shared_ptr<Options> options;
};

/// Adds a command with `--json` and the common options. If the command line names this command,
/// parsing sets `chosen` to a function that calls `runner`.
template <class Options>
AddedCommand<Options> add_command(CLI::App& group, std::string name, std::string help,
                                  int (*runner)(const Options&), Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = group.add_subcommand(std::move(name), std::move(help));
  options->common = add_common_options(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback(
      [&chosen, options, runner] { chosen = [options, runner] { return runner(*options); }; });
  return {command, options};
}

/// Adds a command as `add_command` does, with `--account` as a required option.
template <class Options>
AddedCommand<Options> add_account_command(CLI::App& group, std::string name, std::string help,
                                          int (*runner)(const Options&), Action& chosen) {
  const auto added = add_command(group, std::move(name), std::move(help), runner, chosen);
  added.command->add_option("--account", added.options->account, "The account's name")
      ->required()
      ->check(&check_not_empty);
  return added;
}

// Each function adds commands to the program. When the command line names one of them, parsing sets
// `chosen` to the function that runs it.
void add_serve_command(CLI::App& program, Action& chosen);
void add_backup_commands(CLI::App& program, Action& chosen);
void add_check_command(CLI::App& program, Action& chosen);
void add_account_commands(CLI::App& program, Action& chosen);
void add_health_command(CLI::App& program, Action& chosen);
void add_home_commands(CLI::App& program, Action& chosen);
void add_key_commands(CLI::App& program, Action& chosen);
void add_session_commands(CLI::App& program, Action& chosen);
void add_sign_in_commands(CLI::App& program, Action& chosen);
void add_task_commands(CLI::App& program, Action& chosen);
void add_share_commands(CLI::App& program, Action& chosen);
void add_group_commands(CLI::App& program, Action& chosen);
void add_connector_commands(CLI::App& program, Action& chosen);

}  // namespace coffer::app
