#include "app/command.h"

#include <CLI/CLI.hpp>
#include <exception>

#include "app/account_commands.h"
#include "app/check.h"
#include "app/connector_commands.h"
#include "app/key_commands.h"
#include "app/output.h"
#include "app/server_run.h"
#include "app/share_commands.h"
#include "app/version.h"

namespace coffer::app {
namespace {

/// One line for an error, whatever the command line library would say.
std::string failure_line(const CLI::App*, const CLI::Error& error) {
  return std::string("coffer: ") + error.what() + " (--help shows what there is)\n";
}

int run_chosen(const Action& chosen) {
  start_log(LogLevel::error);
  try {
    return chosen();
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace

Result<Settings> CommonOptions::load(Flags more) const {
  if (!data.empty()) more["data"] = data;
  if (!database.empty()) more["database"] = database;
  const auto file = config.empty() ? std::nullopt : std::optional<std::filesystem::path>(config);
  return load_settings(file, process_environment(), more);
}

std::shared_ptr<CommonOptions> add_common_options(CLI::App& command) {
  auto options = std::make_shared<CommonOptions>();
  command.add_option("--data", options->data, "The data folder")->type_name("DIR");
  command.add_option("--config", options->config, "A TOML file with settings")->type_name("FILE");
  command.add_option("--database", options->database, "The catalog, if not in the data folder")
      ->type_name("URL");
  return options;
}

int run_command_line(int argc, char** argv) {
  CLI::App program("Coffer: a self-hosted file manager served over HTTP");
  program.failure_message(failure_line);
  program.require_subcommand(1);
  Action chosen;
  add_serve_command(program, chosen);
  add_account_commands(program, chosen);
  add_key_commands(program, chosen);
  add_share_commands(program, chosen);
  add_connector_commands(program, chosen);
  add_check_command(program, chosen);
  program.add_subcommand("version", "Print the version")->callback([&chosen] {
    chosen = [] {
      print(kVersion);
      return 0;
    };
  });
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 2;
  }
  return run_chosen(chosen);
}

}  // namespace coffer::app
