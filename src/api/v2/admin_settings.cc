#include <array>

#include "api/v2/route.h"
#include "core/server_setting.h"
#include "http/proxy_watch.h"

namespace coffer::api::v2 {
namespace {

/// True or false, a whole number, a text, or a list of texts.
struct AnySetting {
  boost::json::value value;
  static boost::json::value answer_schema(Components&) {
    return {{"type", {"boolean", "integer", "string", "array"}}, {"items", {{"type", "string"}}}};
  }
};

inline void write_json(JsonWriter& out, const AnySetting& setting) {
  const std::string json = boost::json::serialize(setting.value);
  out.RawValue(json.data(), json.size(), rapidjson::kObjectType);
}

struct SettingDetails {
  static constexpr std::string_view kSchema = "Setting";
  FIELD(std::string, key, "The key in the settings file.", R"("log_level")");
  FIELD(AnySetting, value, "The value in force; a password in an address is left out.",
        R"("info")");
  FIELD(core::SettingOrigin, origin, "The source of the value.", R"("default")");
  FIELD(std::string, help, "An explanation.", R"("debug, info, warning, error or off.")");
};

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

struct ProxyDetails {
  static constexpr std::string_view kSchema = "UntrustedProxy";
  FIELD(std::string, address, "The address that requests came from.", R"("172.17.0.1")");
  FIELD(Timestamp, lastSeenAt, "The time of the last such request.", R"("2026-07-24T09:30:00")");
  FIELD(std::uint64_t, requests, "The number of such requests since the server's start.", "12");
};

struct ServerDetails {
  static constexpr std::string_view kSchema = "Server";
  FIELD(
      std::vector<ProxyDetails>, untrustedProxies,
      "The addresses that sent headers of a proxy although trusted_proxies does not name them: all "
      "clients of such a proxy share its address. At most 16, of the last that were seen; empty "
      "if all is well.",
      R"([])");
};

Task<Result<Answer<ServerDetails>>> show_server(Call call, NoParameters, NoBody) {
  ServerDetails details;
  for (http::ProxyWatch::Seen& seen : call.services.proxy_watch.seen()) {
    ProxyDetails proxy;
    proxy.address = std::move(seen.address);
    proxy.lastSeenAt = seen.last_at;
    proxy.requests = seen.requests;
    details.untrustedProxies.push_back(std::move(proxy));
  }
  co_return Answer<ServerDetails>{std::move(details)};
}

}  // namespace

std::vector<Route> admin_setting_routes() {
  return {json_route(Route(http::Method::get, "/api/v2/admin/server", "showServer",
                           "Show what an administrator should know of the server",
                           "What was seen since its start.", CallerRule::administrator),
                     &show_server),
          json_route(Route(http::Method::get, "/api/v2/admin/settings", "listSettings",
                           "List the settings in force",
                           "They come from the settings file, the environment and the command "
                           "line. A change takes effect with a restart.",
                           CallerRule::administrator),
                     &list_settings)};
}

}  // namespace coffer::api::v2
