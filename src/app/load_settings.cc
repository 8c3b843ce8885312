#include "app/load_settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "app/setting_table.h"
#include "base/text.h"

namespace coffer::app {
namespace {

std::unexpected<Error> refuse_value(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

Result<SettingValue> value_from_toml(const Setting& setting, const toml::node& node) {
  switch (setting.kind.index()) {
    case 0:
      if (const auto value = node.value_exact<bool>()) return SettingValue(*value);
      return refuse_value("must be true or false");
    case 1:
      if (const auto value = node.value_exact<std::int64_t>()) return SettingValue(*value);
      return refuse_value("must be a whole number");
    case 2:
      if (const auto value = node.value_exact<std::string>()) return SettingValue(*value);
      return refuse_value("must be a text in quotes");
    default:
      break;
  }
  const toml::array* array = node.as_array();
  if (!array || !array->is_homogeneous<std::string>()) {
    if (!array || !array->empty()) return refuse_value("must be a list of texts");
  }
  std::vector<std::string> texts;
  for (const toml::node& element : *array) texts.push_back(*element.value<std::string>());
  return SettingValue(std::move(texts));
}

/// Where a value stands, and what it is called there.
struct Source {
  core::SettingOrigin origin;
  std::string_view where;
  std::string_view name;
};

Result<void> apply(Settings& settings, const Source& source, const Setting& setting,
                   Result<SettingValue> value) {
  auto set = value ? setting.set(settings, *value) : Result<void>(failure_of(value));
  if (!set) {
    return refuse_value(fmt::format("{}: {} {}.", source.where, source.name, set.error().message));
  }
  settings.origins[std::string(setting.key)] = source.origin;
  return {};
}

Result<void> check_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto type = std::filesystem::status(file, error).type();
  if (type == std::filesystem::file_type::not_found) {
    return refuse_value(fmt::format("The file of settings {} is not there.", file.string()));
  }
  if (type == std::filesystem::file_type::directory) {
    return refuse_value(fmt::format("{} is a folder, not a file of settings.", file.string()));
  }
  if (::access(file.c_str(), R_OK) == 0) return {};
  return refuse_value(fmt::format("The file of settings {} cannot be read: {}.", file.string(),
                                  std::strerror(errno)));
}

Result<void> apply_file(Settings& settings, const std::filesystem::path& file) {
  if (auto checked = check_file(file); !checked) return checked;
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    return refuse_value(fmt::format("{}: line {}: {}.", file.string(), error.source().begin.line,
                                    error.description()));
  }
  for (const auto& [key, node] : table) {
    const Setting* setting = find_setting(key.str());
    if (!setting) {
      return refuse_value(fmt::format("{}: there is no setting \"{}\"; did you mean \"{}\"?",
                                      file.string(), key.str(), nearest_key(key.str())));
    }
    const std::string where = file.string();
    const Source source{core::SettingOrigin::file, where, key.str()};
    auto applied = apply(settings, source, *setting, value_from_toml(*setting, node));
    if (!applied) return applied;
  }
  return {};
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string warning_of(const std::vector<std::string>& unknown) {
  std::string list;
  for (const std::string& name : unknown) {
    if (!list.empty()) list += ", ";
    list += name;
    const auto near = similar_key(lower(name.substr(kVariablePrefix.size())));
    if (near) list += fmt::format(" (did you mean {}?)", variable_of(*near));
  }
  return unknown.empty()
             ? list
             : "The environment has variables that are no settings; they are ignored: " + list +
                   ".";
}

Result<void> apply_environment(Settings& settings,
                               const std::map<std::string, std::string>& environment) {
  std::vector<std::string> unknown;
  for (const auto& [name, text] : environment) {
    if (!name.starts_with(kVariablePrefix)) continue;
    const Setting* setting = find_setting(lower(name.substr(kVariablePrefix.size())));
    if (!setting) {
      unknown.push_back(name);
      continue;
    }
    if (!is_utf8(text)) {
      return refuse_value(fmt::format("The environment: {} must be UTF-8.", name));
    }
    const Source source{core::SettingOrigin::environment, "The environment", name};
    auto applied = apply(settings, source, *setting, value_from_text(*setting, text));
    if (!applied) return applied;
  }
  settings.warning = warning_of(unknown);
  return {};
}

Result<void> apply_flags(Settings& settings, const Flags& flags) {
  for (const auto& [key, text] : flags) {
    const Setting& setting = *find_setting(key);
    const std::string name = "--" + key;
    const Source source{core::SettingOrigin::command_line, "The command line", name};
    auto applied = apply(settings, source, setting, value_from_text(setting, text));
    if (!applied) return applied;
  }
  return {};
}

}  // namespace

Result<Settings> load_settings(const std::optional<std::filesystem::path>& file,
                               const std::map<std::string, std::string>& environment,
                               const Flags& flags) {
  Settings settings;
  if (file) {
    auto applied = apply_file(settings, *file);
    if (!applied) return failure_of(std::move(applied));
  }
  auto applied = apply_environment(settings, environment);
  if (applied) applied = apply_flags(settings, flags);
  if (!applied) return failure_of(std::move(applied));
  if (settings.data.empty()) {
    return refuse_value("The data folder is missing: give it with --data DIR.");
  }
  return settings;
}

std::map<std::string, std::string> process_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

}  // namespace coffer::app
