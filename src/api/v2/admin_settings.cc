#include <array>

#include "api/v2/route.h"
#include "core/server_state.h"
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
  FIELD(bool, live,
        "True if a change in the settings file takes effect within seconds, without a restart.",
        "false");
  FIELD(bool, waits, "True if the file has another value, for the next start.", "false");
  FIELD(std::string, help, "An explanation.", R"("debug, info, warning, error or off.")");
};

Task<Result<Answer<std::vector<SettingDetails>>>> list_settings(Call call, NoParameters, NoBody) {
  std::vector<SettingDetails> all;
  const auto settings = call.services.server_state.settings();
  for (const core::ServerSetting& setting : settings) {
    SettingDetails details;
    details.key = setting.key;
    details.value.value = setting.value;
    details.origin = setting.origin;
    details.live = setting.is_live;
    details.waits = setting.waits;
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

struct DiskDetails {
  static constexpr std::string_view kSchema = "Disk";
  FIELD(std::string, path, "The data folder, or a folder of the setting share_roots.",
        R"("/srv/coffer")");
  FIELD(bool, data, "True for the data folder.", "true");
  FIELD(std::optional<std::uint64_t>, freeBytes,
        "What is free on its disk; null if the disk does not answer.", "1000000000");
  FIELD(std::optional<std::uint64_t>, totalBytes, "The size of the disk; null as above.",
        "4000000000");
};

struct CertificateDetails {
  static constexpr std::string_view kSchema = "Certificate";
  FIELD(Timestamp, expiresAt, "When it expires.", R"("2027-02-21T06:14:09")");
  FIELD(std::optional<std::string>, problem,
        "The reason why its files, as they are now, are not in force; null if they are.", "null");
};

struct ServerDetails {
  static constexpr std::string_view kSchema = "Server";
  FIELD(
      std::vector<ProxyDetails>, untrustedProxies,
      "The addresses that sent headers of a proxy although trusted_proxies does not name them: all "
      "clients of such a proxy share its address. At most 16, of the last that were seen; empty "
      "if all is well.",
      R"([])");
  FIELD(std::string, settingsFile, "The settings file; it may not exist yet.",
        R"("/srv/coffer/coffer.toml")");
  FIELD(std::optional<std::string>, settingsProblem,
        "The reason why the settings file, as it is now, is not in force; null if it is.", "null");
  FIELD(std::string, program, "The program that runs.", R"("/usr/local/bin/coffer")");
  FIELD(std::string, dataFolder, "The data folder, for commands.", R"("/srv/coffer")");
  FIELD(std::vector<DiskDetails>, disks,
        "The disks of the data folder and of the folders of share_roots, as they were at most "
        "some seconds ago.",
        R"([])");
  FIELD(std::optional<CertificateDetails>, certificate,
        "The certificate with which the server speaks TLS; null if it speaks none.", "null");
};

Task<Result<Answer<ServerDetails>>> show_server(Call call, NoParameters, NoBody) {
  core::ServerState& state = call.services.server_state;
  ServerDetails details;
  details.settingsFile = state.settings_file();
  std::string problem = state.settings_problem();
  if (!problem.empty()) details.settingsProblem = std::move(problem);
  details.program = state.program();
  details.dataFolder = state.data_folder();
  auto rooms = co_await state.disks();
  for (core::DiskRoom& room : rooms) {
    DiskDetails disk;
    disk.path = std::move(room.path);
    disk.data = room.is_data;
    disk.freeBytes = room.free_bytes;
    disk.totalBytes = room.total_bytes;
    details.disks.push_back(std::move(disk));
  }
  if (auto certificate = state.certificate()) {
    details.certificate.emplace();
    details.certificate->expiresAt = certificate->expires_at;
    if (!certificate->problem.empty()) {
      details.certificate->problem = std::move(certificate->problem);
    }
  }
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
  return {
      json_route(
          Route(http::Method::get, "/api/v2/admin/server", "showServer",
                "Show what an administrator should know of the server",
                "What was seen since its start, where its settings are, and the room on its disks. "
                "What may be shared is decided there, and no call changes it.",
                CallerRule::administrator),
          &show_server),
      json_route(Route(http::Method::get, "/api/v2/admin/settings", "listSettings",
                       "List the settings in force",
                       "They come from the settings file, the environment and the command "
                       "line. The file is looked at every second and at SIGHUP.",
                       CallerRule::administrator),
                 &list_settings)};
}

}  // namespace coffer::api::v2
