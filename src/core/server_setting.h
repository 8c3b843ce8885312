#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace coffer::core {

/// Where a setting's value came from.
enum class SettingOrigin : std::uint8_t { built_in, file, environment, command_line };
std::string_view to_string(SettingOrigin origin);

/// A setting in force, as administrators see it.
struct ServerSetting {
  std::string key;
  std::string help;
  boost::json::value value;  ///< Without secrets.
  SettingOrigin origin = SettingOrigin::built_in;
};

}  // namespace coffer::core
