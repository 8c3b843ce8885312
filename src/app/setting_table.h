#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings.h"
#include "base/error.h"

namespace coffer::app {

/// A setting's value as a TOML file has it.
using SettingValue = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

/// One setting: its key, what it means, and how it gets into and out of Settings.
struct Setting {
  std::string_view key;
  std::string_view help;
  SettingValue kind;  ///< Only its type counts.
  /// `invalid` saying what is allowed.
  std::function<Result<void>(Settings&, const SettingValue&)> set;
  std::function<SettingValue(const Settings&)> get;
};

/// All settings, in the order in which they are printed.
std::span<const Setting> setting_table();

/// The setting of that key, or null.
const Setting* find_setting(std::string_view key);

/// The known key that is written most like `key`.
std::string_view nearest_key(std::string_view key);

/// The same if at most two letters differ.
std::optional<std::string_view> similar_key(std::string_view key);

/// The variable of the environment that sets a key: the prefix and the key in capitals.
std::string variable_of(std::string_view key);
inline constexpr std::string_view kVariablePrefix = "COFFER_";

/// Reads a value of a setting's type from text, as flags and the environment give it; lists are
/// separated by commas. `invalid` saying what is expected.
Result<SettingValue> value_from_text(const Setting& setting, std::string_view text);

}  // namespace coffer::app
