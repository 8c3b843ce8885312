#include "core/server_setting.h"

#include <utility>

namespace coffer::core {

std::string_view to_string(SettingOrigin origin) {
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

}  // namespace coffer::core
