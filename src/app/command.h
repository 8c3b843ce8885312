#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/settings.h"

namespace CLI {
class App;
}

namespace coffer::app {

/// The options that every command on a data folder has.
struct CommonOptions {
  std::string data;
  std::string config;
  std::string database;

  /// The settings with these options as the heaviest.
  Result<Settings> load(Flags more = {}) const;
};

/// Adds `--data`, `--config` and `--database` to a command.
std::shared_ptr<CommonOptions> add_common_options(CLI::App& command);

/// What a chosen command does; its result is the exit status.
using Action = std::function<int()>;

}  // namespace coffer::app
