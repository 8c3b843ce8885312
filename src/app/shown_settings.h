#pragma once

#include <string>
#include <vector>

#include "app/settings.h"
#include "core/server_setting.h"

namespace coffer::app {

/// All settings and variables of the environment with their meanings and defaults, for people.
std::string settings_help();

/// The settings for administrators: without the password that a database's address may have.
std::vector<core::ServerSetting> shown_settings(const Settings& settings);

/// The settings as a TOML file that load_settings reads back.
std::string print_settings(const Settings& settings);

}  // namespace coffer::app
