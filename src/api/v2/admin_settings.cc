#include <array>

#include "api/v2/resources.h"
#include "core/server_setting.h"

namespace coffer::api {

namespace v2 {

/// True or false, a whole number, a text, or a list of texts.
struct AnySetting {
  boost::json::value value;
};

inline void write_json(JsonWriter& out, const AnySetting& setting) {
  const std::string json = boost::json::serialize(setting.value);
  out.RawValue(json.data(), json.size(), rapidjson::kObjectType);
}

struct SettingDetails {
  std::string key;
  AnySetting value;
  core::SettingOrigin origin = core::SettingOrigin::built_in;
  std::string help;
};
BOOST_DESCRIBE_STRUCT(SettingDetails, (), (key, value, origin, help))

}  // namespace v2

template <>
struct Words<core::SettingOrigin> {
  using enum core::SettingOrigin;
  static constexpr std::array all{built_in, file, environment, command_line};
};

template <>
struct Schema<v2::AnySetting> {
  static boost::json::value make(Components&) {
    return {{"type", {"boolean", "integer", "string", "array"}}, {"items", {{"type", "string"}}}};
  }
};

template <>
struct Docs<v2::SettingDetails> {
  static constexpr std::string_view name = "Setting";
  static constexpr std::array<FieldDoc, 4> fields{{
      {"key", "As in the file of settings.", R"("log_level")"},
      {"value", "The value in force; without the password, where it is an address with one.",
       R"("info")"},
      {"origin", "Where it came from.", R"("default")"},
      {"help", "What it means.", R"("debug, info, warning, error or off.")"},
  }};
};

namespace v2 {
namespace {

Task<Result<Answer<std::vector<SettingDetails>>>> list_settings(Call call, NoParameters, NoBody) {
  std::vector<SettingDetails> all;
  for (const core::ServerSetting& setting : call.services.settings) {
    SettingDetails details;
    details.key = setting.key;
    details.value.value = setting.value;
    details.origin = setting.origin;
    details.help = setting.help;
    all.push_back(std::move(details));
  }
  co_return Answer<std::vector<SettingDetails>>{std::move(all)};
}

}  // namespace

std::vector<Route> admin_setting_routes() {
  Route list{http::Method::get, "/api/v2/admin/settings", "listSettings",
             "List the settings in force",
             "They come from the file of settings, the environment and the command line, and "
             "change with a restart alone."};
  list.rule = CallerRule::administrator;
  return {json_route(list, &list_settings)};
}

}  // namespace v2
}  // namespace coffer::api
