#include "app/command.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/output.h"
#include "app/wrong_words.h"

namespace coffer::app {

Result<Settings> CommonOptions::read(Flags more) const {
  if (!data.empty()) more["data"] = data;
  if (!database.empty()) more["database"] = database;
  const auto file = config.empty() ? std::nullopt : std::optional<std::filesystem::path>(config);
  return load_settings(file, process_environment(), more);
}

Result<Settings> CommonOptions::load(Flags more) const {
  auto settings = read(std::move(more));
  if (settings && !settings->warning.empty()) warn(settings->warning);
  return settings;
}

std::shared_ptr<CommonOptions> add_common_options(CLI::App& command) {
  auto options = std::make_shared<CommonOptions>();
  command.add_option("--data", options->data, "The data folder")
      ->type_name("DIR")
      ->check(&check_not_empty);
  command.add_option("--config", options->config, "A TOML file with settings")
      ->type_name("FILE")
      ->check(&check_not_empty);
  command.add_option("--database", options->database, "The catalog, if not in the data folder")
      ->type_name("URL");
  return options;
}

}  // namespace coffer::app
