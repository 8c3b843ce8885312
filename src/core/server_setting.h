#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::core {

/// Where a setting's value came from.
enum class SettingOrigin : std::uint8_t { built_in, file, environment, command_line };

constexpr std::string_view to_string(SettingOrigin origin) {
  switch (origin) {
    case SettingOrigin::built_in:
      return "default";
    case SettingOrigin::file:
      return "file";
    case SettingOrigin::environment:
      return "environment";
    case SettingOrigin::command_line:
      return "command line";
  }
  std::unreachable();
}

/// A setting in force, as administrators see it.
struct ServerSetting {
  std::string key;
  std::string help;
  boost::json::value value;  ///< Without secrets.
  SettingOrigin origin = SettingOrigin::built_in;
};

}  // namespace coffer::core
