#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>

#include "base/enum_words.h"

namespace coffer::core {

/// The source of a setting's value.
enum class SettingOrigin : std::uint8_t { built_in, file, environment, command_line };
constexpr auto words_of(SettingOrigin) {
  using enum SettingOrigin;
  return enum_words<SettingOrigin>({{built_in, "default"},
                                    {file, "file"},
                                    {environment, "environment"},
                                    {command_line, "command line"}});
}

/// A setting in effect, as administrators see it.
struct ServerSetting {
  std::string key;
  std::string help;
  boost::json::value value;  ///< A PostgreSQL address is cut to "postgresql://…".
  SettingOrigin origin = SettingOrigin::built_in;
  bool is_live = false;  ///< True if a change in the settings file takes effect without a restart.
  bool waits = false;    ///< True if the file has another value by now, for the next start.
};

}  // namespace coffer::core
