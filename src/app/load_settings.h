#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/settings.h"
#include "base/error.h"

namespace coffer::app {

/// What the command line said, by the settings' keys.
using Flags = std::map<std::string, std::string>;

/// The settings from, in order of rising weight: defaults, the TOML file (if one is given), the
/// environment (`COFFER_` and the key in capitals), the flags. `invalid` with one line that names
/// the place and, for an unknown key of the file, the nearest known one. Unknown variables are
/// ignored with a warning, since others set such variables too: Kubernetes sets `COFFER_PORT` for a
/// service of the name coffer.
Result<Settings> load_settings(const std::optional<std::filesystem::path>& file,
                               const std::map<std::string, std::string>& environment,
                               const Flags& flags);

/// This process's environment.
std::map<std::string, std::string> process_environment();

}  // namespace coffer::app
