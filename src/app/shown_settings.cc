#include "app/shown_settings.h"

#include <toml++/toml.h>

#include <boost/json.hpp>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <variant>

#include "app/setting_table.h"

namespace coffer::app {
namespace {

toml::array toml_list(const std::vector<std::string>& texts) {
  toml::array array;
  for (const std::string& text : texts) array.push_back(text);
  return array;
}

boost::json::value json_of(const SettingValue& value) {
  return std::visit([](const auto& held) { return boost::json::value_from(held); }, value);
}

/// Of an address with a server, the kind alone: a password can stand in several places of it.
std::string without_login(const std::string& url) {
  constexpr std::string_view kScheme = "postgresql://";
  return url.starts_with("sqlite:") || url.empty() ? url : std::string(kScheme) + "…";
}

void print_value(std::ostream& out, const SettingValue& value) {
  std::visit(
      [&out]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          out << toml_list(held);
        } else {
          out << toml::value(held);
        }
      },
      value);
}

}  // namespace

std::vector<core::ServerSetting> shown_settings(const Settings& settings) {
  std::vector<core::ServerSetting> all;
  for (const Setting& setting : setting_table()) {
    core::ServerSetting& shown = all.emplace_back();
    shown.key = setting.key;
    shown.help = setting.help;
    shown.value = json_of(setting.get(settings));
    const auto origin = settings.origins.find(shown.key);
    if (origin != settings.origins.end()) shown.origin = origin->second;
    if (shown.key == "database") shown.value = without_login(settings.database);
  }
  return all;
}

std::string print_settings(const Settings& settings) {
  std::ostringstream out;
  for (const Setting& setting : setting_table()) {
    out << "# " << setting.help << '\n' << setting.key << " = ";
    print_value(out, setting.get(settings));
    out << '\n';
  }
  return out.str();
}

std::string settings_help() {
  std::ostringstream out;
  out << "Settings, each a line `key = value` of the file that --config names, or a variable:\n";
  const Settings defaults;
  for (const Setting& setting : setting_table()) {
    out << "  " << setting.key << ", " << variable_of(setting.key) << "\n      " << setting.help
        << " Default: ";
    print_value(out, setting.get(defaults));
    out << '\n';
  }
  out << "Options weigh more than variables, and these more than the file. Other variables:\n"
         "  SSL_CERT_FILE\n      A file with certificates to trust in the place of the system's.\n"
         "  PATH\n      Where rclone is looked for, which serves cloud drives.\n";
  return out.str();
}

}  // namespace coffer::app
