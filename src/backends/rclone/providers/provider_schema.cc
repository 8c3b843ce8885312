#include "backends/rclone/providers/provider_schema.h"

#include <algorithm>
#include <boost/json.hpp>
#include <exception>
#include <string_view>
#include <utility>

#include "backends/rclone/providers/provider_table.h"
#include "backends/rclone/providers/providers.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

std::string text_at(const json::object& object, json::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

bool flag_in(const json::object& object, json::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->as_bool();
}

/// Go writes an empty list as null.
const json::array& list_in(const json::object& object, json::string_view key) {
  static const json::array kNothing;
  const json::value* const value = object.if_contains(key);
  return value == nullptr || value->is_null() ? kNothing : value->as_array();
}

OptionDescription described(const Option& allowed) {
  OptionDescription option;
  option.name = allowed.name;
  option.help = allowed.help;
  option.is_secret = allowed.is_secret;
  option.is_address = allowed.is_address;
  option.is_required = allowed.is_required;
  return option;
}

OptionDescription described(const Option& allowed, const json::object& told) {
  OptionDescription option = described(allowed);
  option.help = text_at(told, "Help");
  option.default_value = text_at(told, "DefaultStr");
  option.only_for = text_at(told, "Provider");
  option.is_secret |= flag_in(told, "IsPassword");
  option.is_required |= flag_in(told, "Required");
  option.is_advanced = flag_in(told, "Advanced");
  for (const json::value& item : list_in(told, "Examples")) {
    const json::object& example = item.as_object();
    option.examples.push_back(OptionExample{text_at(example, "Value"), text_at(example, "Help"),
                                            text_at(example, "Provider")});
  }
  return option;
}

ProviderDescription described(const Provider& allowed, const json::object& told) {
  ProviderDescription provider;
  provider.type = allowed.type;
  provider.name = text_at(told, "Description");
  provider.uses_oauth = uses_oauth(allowed.type);
  for (const json::value& item : list_in(told, "Options")) {
    const Option* const option = find_option(allowed, text_at(item.as_object(), "Name"));
    if (option != nullptr) provider.options.push_back(described(*option, item.as_object()));
  }
  for (const Option& option : allowed.options) {
    const auto told_of = std::ranges::find(provider.options, option.name, &OptionDescription::name);
    if (option.help.empty() || told_of != provider.options.end()) continue;
    provider.options.push_back(described(option));
  }
  return provider;
}

}  // namespace

Result<std::vector<ProviderDescription>> describe_providers(const json::value& answer) {
  try {
    std::vector<ProviderDescription> providers;
    for (const json::value& item : answer.as_object().at("providers").as_array()) {
      const json::object& told = item.as_object();
      const Provider* const allowed = find_provider(text_at(told, "Name"));
      if (allowed != nullptr) providers.push_back(described(*allowed, told));
    }
    std::ranges::sort(providers, {}, &ProviderDescription::type);
    return providers;
  } catch (const std::exception&) {
    return fail(ErrorCode::failed, "rclone describes its providers in a way that makes no sense.");
  }
}

}  // namespace coffer::rclone
