#include "app/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/setting_checks.h"
#include "app/similar_word.h"
#include "base/text.h"

namespace coffer {

constexpr auto words_of(LogFormat) {
  return enum_words<LogFormat>({{LogFormat::text, "text"}, {LogFormat::json, "json"}});
}
constexpr auto words_of(LogLevel) {
  return enum_words<LogLevel>({{LogLevel::debug, "debug"},
                               {LogLevel::info, "info"},
                               {LogLevel::warning, "warning"},
                               {LogLevel::error, "error"},
                               {LogLevel::off, "off"}});
}

}  // namespace coffer

namespace coffer::app {
namespace {

constexpr std::string_view kVariablePrefix = "COFFER_";

/// One setting: its key, its meaning, and how it gets into and out of Settings.
struct Setting {
  std::string_view key;
  std::string_view help;
  SettingValue kind;  ///< Only its type counts.
  /// `invalid` saying what is allowed.
  std::function<Result<void>(Settings&, const SettingValue&)> set;
  std::function<SettingValue(const Settings&)> get;
};

// How a member of each type is written as a value.
SettingValue to_value(bool member) {
  return member;
}
SettingValue to_value(std::uint64_t member) {
  return static_cast<std::int64_t>(member);
}
SettingValue to_value(std::chrono::milliseconds member) {
  return std::int64_t{member.count()};
}
SettingValue to_value(const std::string& member) {
  return member;
}
SettingValue to_value(const std::filesystem::path& member) {
  return member.string();
}
SettingValue to_value(const Texts& member) {
  return member;
}
SettingValue to_value(const ListenAddress& member) {
  return member.str();
}
SettingValue to_value(const std::optional<ListenAddress>& member) {
  return member ? member->str() : std::string();
}
template <HasWords E>
SettingValue to_value(E member) {
  return std::string(word_of(member));
}

// How it is read from a value of its type; `invalid` says what is allowed.
template <class T>
Result<void> from_value(const SettingValue& value, T& member) {
  member = std::get<T>(value);
  return {};
}
Result<void> from_value(const SettingValue& value, std::uint64_t& member) {
  member = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
  return {};
}
Result<void> from_value(const SettingValue& value, std::chrono::milliseconds& member) {
  member = std::chrono::milliseconds(std::get<std::int64_t>(value));
  return {};
}
Result<void> from_value(const SettingValue& value, std::filesystem::path& member) {
  member = std::get<std::string>(value);
  return {};
}
Result<void> from_value(const SettingValue& value, ListenAddress& member) {
  const auto& text = std::get<std::string>(value);
  auto listen = ListenAddress::parse(text);
  if (!listen) {
    return refuse(fmt::format("must be an IP address, a colon and a port, not \"{}\"", text));
  }
  member = *std::move(listen);
  return {};
}
Result<void> from_value(const SettingValue& value, std::optional<ListenAddress>& member) {
  member.reset();
  if (std::get<std::string>(value).empty()) return {};
  return from_value(value, member.emplace());
}
template <HasWords E>
Result<void> from_value(const SettingValue& value, E& member) {
  const auto found = enum_from<E>(std::get<std::string>(value));
  if (!found) return refuse(fmt::format("must be one of {}", list_of_words<E>()));
  member = *found;
  return {};
}

constexpr std::int64_t kDayMs = 86'400'000;

template <class T>
Setting setting(std::string_view key, T Settings::* member, std::string_view help,
                Check check = {}) {
  return {key, help, to_value(T{}),
          [=](Settings& settings, const SettingValue& value) -> Result<void> {
            if (check) TRY_VOID(check(value));
            return from_value(value, settings.*member);
          },
          [=](const Settings& settings) { return to_value(settings.*member); }};
}

Result<SettingValue> bool_from(std::string_view text) {
  if (text == "true") return SettingValue(true);
  if (text == "false") return SettingValue(false);
  return refuse("must be true or false");
}

Result<SettingValue> number_from(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return refuse("must be a whole number");
  }
  return SettingValue(number);
}

SettingValue list_from(std::string_view text) {
  Texts parts;
  for (const auto part : text | std::views::split(',')) {
    if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

/// Where the program serves and stores.
std::vector<Setting> place_settings() {
  using S = Settings;
  return {
      setting("data", &S::data, "The data folder: files, catalog and staging."),
      setting("listen", &S::listen, "Address and port to serve on; port 0 takes a free one."),
      setting("tls_listen", &S::tls_listen,
              "Address and port to serve on by TLS; port 0 takes a free one. Empty: none."),
      setting("tls_certificate", &S::tls_certificate,
              "The server's certificate and those that lead to its root's, in PEM. A renewed one "
              "comes into force by itself."),
      setting("tls_key", &S::tls_key, "The certificate's key, in PEM, without a password."),
      setting("tls_min", &S::tls_min, "The oldest version of TLS that is spoken: 1.2 or 1.3."),
      setting("http2", &S::http2, "Offer HTTP/2 where TLS is spoken."),
      setting("public_url", &S::public_url,
              "The server's address as people type it, such as https://files.example.org, without "
              "base_path. What is told to others begins with it.",
              check_public_url),
      setting("redirect_listen", &S::redirect_listen,
              "Address and port, such as 0.0.0.0:80, where whoever comes without TLS is sent to "
              "public_url; port 0 takes a free one. Empty: none."),
      setting("acme_webroot", &S::acme_webroot,
              "A folder in which an ACME client, such as certbot, puts the answers to challenges; "
              "redirect_listen serves them. Empty: none."),
      setting(
          "hsts_days", &S::hsts_days,
          "How many days browsers that came by HTTPS use nothing else for this host; 0: they are "
          "not told so. It cannot be taken back before.",
          within(0, 3'650)),
      setting("base_path", &S::base_path,
              "A proxy's path below which all addresses lie, such as /coffer; empty is none.",
              check_base_path),
      setting("database", &S::database,
              "The catalog: postgresql://… or sqlite:///srv/file; empty is SQLite in the data "
              "folder."),
      setting("servers", &S::servers,
              "one, or several: servers with the same settings share this catalog, which must be "
              "on PostgreSQL, each with a data folder of its own."),
      setting("durability", &S::durability,
              "durable answers when files are safe from a power cut; relaxed does not wait."),
      setting("home_store", &S::home_store,
              "Where own files of new accounts lie: files is the data folder; objects is a store "
              "that speaks S3, with the names in the catalog. `coffer home move` moves others."),
      setting("objects_endpoint", &S::objects_endpoint,
              "The store's address, such as https://s3.example.org."),
      setting("objects_bucket", &S::objects_bucket,
              "The store's bucket, which belongs to this catalog alone."),
      setting("objects_region", &S::objects_region, "The store's region, for its signatures."),
      setting("objects_path_style", &S::objects_path_style,
              "Name the bucket in the path of an address, and not in its host."),
      setting("objects_credentials_file", &S::objects_credentials_file,
              "A file with the id of the store's access key on the first line, and the secret key "
              "on the second. Empty: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."),
      setting("objects_keep_days", &S::objects_keep_days,
              "How many days the store keeps the objects of deleted files: as long as the oldest "
              "backup of the catalog that you would restore.",
              within(1, 36'500)),
  };
}

std::vector<Setting> webdav_settings() {
  using S = Settings;
  return {
      setting("webdav", &S::webdav, "Serve WebDAV at /dav/, for devices that mount it."),
      setting("webdav_passwords", &S::webdav_passwords,
              "WebDAV takes an account's own password too, unless the account has a second factor; "
              "otherwise keys alone."),
      setting("webdav_mac_files", &S::webdav_mac_files,
              "keep, or refuse: WebDAV stores no files that macOS makes for itself (._*, "
              ".DS_Store)."),
  };
}

/// How it works.
std::vector<Setting> running_settings() {
  using S = Settings;
  return {
      setting("log_level", &S::log_level, "debug, info, warning, error or off."),
      setting("log_format", &S::log_format, "text, or json: an object in each line of the log."),
      setting("access_log", &S::access_log, "Log a line for each request."),
      setting("private_connectors", &S::private_connectors,
              "Servers that users mount may be on this machine or a private network, as those "
              "that administrators mount."),
      setting("share_roots", &S::share_roots,
              "Folders of this server, by their absolute paths, beneath which administrators may "
              "share others in the web interface; none by default: then the command line alone "
              "does.",
              check_share_roots),
      setting("share_with", &S::share_with,
              "Whom accounts can share with and find by name: all, or groups (their own groups and "
              "the members of these)."),
      setting("cors_origins", &S::cors_origins,
              "Origins whose pages may call the API (scheme://host:port, or *); none by default.",
              check_origins),
      setting("trusted_proxies", &S::trusted_proxies,
              "Addresses and networks (192.0.2.0/24) of proxies in front of the server, whose "
              "X-Forwarded-For and X-Forwarded-Proto are believed; none by default.",
              check_proxies),
      setting("admin_password_file", &S::admin_password_file,
              "A file with a password: on a catalog without any account the administrator "
              "\"admin\" is made with it. Empty: the server prints a link for set-up."),
      setting("metrics_token_file", &S::metrics_token_file,
              "A file with a token: /metrics answers those who show it (Authorization: Bearer). "
              "Empty: there are no metrics."),
      setting("audit_days", &S::audit_days, "How many days the audit log is kept.",
              within(1, 36'500)),
      setting("bin_days", &S::bin_days, "How many days a bin keeps what was deleted.",
              within(1, 36'500)),
      setting("version_days", &S::version_days,
              "How many days own files in a store of objects keep what was replaced; 0: none.",
              within(0, 36'500)),
      setting("versions_kept", &S::versions_kept,
              "How many replaced contents of each file are kept at most.", within(1, 100)),
      setting("mount_uploads_limit", &S::mount_uploads_limit,
              "How many bytes of unfinished uploads to shared folders and servers an account may "
              "have on the disk of the data folder; 0 is a quarter of what is free there.",
              within(0, std::int64_t{1} << 60)),
      setting("memory_mib", &S::memory_mib,
              "Memory for what is made for clients and that they have not yet taken, in MB. "
              "Folders of more than 400,000 items need more than the default.",
              within(32, 65'536)),
  };
}

/// What serves connections, and how long it waits for them.
std::vector<Setting> connection_settings() {
  using S = Settings;
  return {
      setting("threads", &S::threads, "Threads that serve connections; 0 is one for each core.",
              within(0, 1024)),
      setting("header_timeout_ms", &S::header_timeout, "How long a request's headers may take.",
              within(1, kDayMs)),
      setting("idle_timeout_ms", &S::idle_timeout,
              "How long a connection may wait between requests.", within(1, kDayMs)),
      setting("stall_timeout_ms", &S::stall_timeout,
              "How long a body may stand still, either way. Who pauses a file or an archive longer "
              "is cut off only where connections or memory run short.",
              within(1, kDayMs)),
      setting("min_rate_bytes", &S::min_rate_bytes,
              "The least average rate of a body, in bytes per second; 0 is no limit.",
              within(0, 1'000'000'000)),
      setting("min_rate_window_ms", &S::min_rate_window,
              "The time over which that average is taken; it counts waiting for the client alone.",
              within(1, kDayMs)),
      setting(
          "drain_ms", &S::drain_time,
          "How long a server that is told to stop goes on serving while /health/ready says that "
          "it is not ready, for a balancer to send requests elsewhere.",
          within(0, kDayMs)),
      setting("stop_timeout_ms", &S::stop_timeout,
              "How long running requests may take to finish at a stop.", within(1, kDayMs)),
  };
}

/// How people sign in, and at which provider.
std::vector<Setting> sign_in_settings() {
  using S = Settings;
  return {
      setting("password_sign_in", &S::password_sign_in,
              "Who may sign in with a password: everyone, admins or nobody."),
      setting("second_factor", &S::second_factor,
              "Whose accounts must have a second factor, an authenticator or a passkey, if they "
              "sign in with a password: optional (nobody's), admins or everyone."),
      setting("passkeys", &S::passkeys,
              "People may sign in with passkeys. Needs public_url, with https."),
      setting("oidc_issuer", &S::oidc_issuer,
              "The provider of OpenID Connect that people may sign in at, such as "
              "https://id.example.org. Needs public_url. Empty: none.",
              check_oidc_issuer),
      setting("oidc_client_id", &S::oidc_client_id, "The name of this server at the provider."),
      setting(
          "oidc_client_secret_file", &S::oidc_client_secret_file,
          "A file with its secret there. Empty: the provider has this server as a public client."),
      setting("oidc_ca_file", &S::oidc_ca_file,
              "A file with the certificates that the provider's may come from, in PEM. Empty: "
              "those of the system."),
      setting("oidc_name", &S::oidc_name, "The provider's name for people."),
      setting("oidc_scopes", &S::oidc_scopes,
              "What the provider is asked for, separated by blanks; openid must be among it.",
              check_oidc_scopes),
      setting("oidc_name_claim", &S::oidc_name_claim,
              "The claim that new accounts have their names from."),
      setting(
          "oidc_groups_claim", &S::oidc_groups_claim,
          "The claim with a person's groups, by its name, or by a path with dots. Empty: none."),
      setting("oidc_allowed_groups", &S::oidc_allowed_groups,
              "The groups whose members may sign in. Empty: everyone."),
      setting("oidc_admin_groups", &S::oidc_admin_groups,
              "The groups whose members are administrators, and others are not. Empty: roles are "
              "given here."),
      setting("oidc_quota_claim", &S::oidc_quota_claim,
              "The claim with a person's quota, in bytes or such as 100GB. Empty: none."),
      setting("oidc_group_quotas", &S::oidc_group_quotas,
              "Quotas of groups, such as staff=100GB; the largest counts, 0 is unlimited, and the "
              "group * is everyone in none of the others.",
              check_group_quotas),
      setting("oidc_create_accounts", &S::oidc_create_accounts,
              "A person without an account gets one."),
      setting("oidc_session_hours", &S::oidc_session_hours,
              "How many hours a session lasts that began at the provider.", within(1, 2160)),
      setting("oidc_logout_ends_keys", &S::oidc_logout_ends_keys,
              "A sign-out at the provider, of which it tells this server, ends the account's API "
              "keys too."),
  };
}

/// The directory that passwords are checked by.
std::vector<Setting> directory_settings() {
  using S = Settings;
  return {
      setting("ldap_url", &S::ldap_url,
              "Addresses of a directory of LDAP that passwords are checked by, such as "
              "ldaps://ldap.example.org, separated by blanks. Empty: none.",
              check_ldap_url),
      setting("ldap_start_tls", &S::ldap_start_tls,
              "A connection of ldap:// begins TLS before anything is said."),
      setting("ldap_ca_file", &S::ldap_ca_file,
              "A file with the certificates that the directory's may come from, in PEM. Empty: "
              "those of the system."),
      setting("ldap_bind_dn", &S::ldap_bind_dn,
              "The entry that searches for people. Empty: nobody signs in for that."),
      setting("ldap_bind_password_file", &S::ldap_bind_password_file, "A file with its password."),
      setting("ldap_base", &S::ldap_base,
              "The entry below which people are searched, such as ou=people,dc=example,dc=org."),
      setting("ldap_filter", &S::ldap_filter,
              "What finds a person; {name} is the name that is typed."),
      setting("ldap_id_attribute", &S::ldap_id_attribute,
              "The attribute by which a person is known again, which never changes: objectGUID in "
              "Active Directory."),
      setting("ldap_name_attribute", &S::ldap_name_attribute,
              "The attribute that new accounts have their names from."),
      setting("ldap_groups_attribute", &S::ldap_groups_attribute,
              "The attribute with a person's groups. Empty: none."),
      setting("ldap_allowed_groups", &S::ldap_allowed_groups,
              "The groups whose members may sign in, by their names or their first parts. Empty: "
              "everyone."),
      setting("ldap_admin_groups", &S::ldap_admin_groups,
              "The groups whose members are administrators, and others are not. Empty: roles are "
              "given here."),
      setting("ldap_create_accounts", &S::ldap_create_accounts,
              "A person of the directory without an account gets one."),
  };
}

/// What a proxy in front of the server says of people.
std::vector<Setting> proxy_settings() {
  using S = Settings;
  return {
      setting("proxy_user_header", &S::proxy_user_header,
              "The header in which a proxy names the person that it has signed in, such as "
              "X-Remote-User. Needs trusted_proxies: only those may send it. Empty: none.",
              check_header_name),
      setting("proxy_groups_header", &S::proxy_groups_header,
              "The header with the person's groups, separated by commas. Empty: none.",
              check_header_name),
      setting("proxy_allowed_groups", &S::proxy_allowed_groups,
              "The groups whose members may sign in by the proxy. Empty: everyone."),
      setting("proxy_admin_groups", &S::proxy_admin_groups,
              "The groups whose members are administrators, and others are not. Empty: roles are "
              "given here."),
      setting("proxy_create_accounts", &S::proxy_create_accounts,
              "A person whom the proxy names and who has no account gets one."),
      setting("proxy_session_hours", &S::proxy_session_hours,
              "How many hours a session lasts that began by the proxy.", within(1, 2160)),
  };
}

/// All settings, in the order in which they are printed.
std::span<const Setting> setting_table() {
  static const std::vector<Setting> kTable = [] {
    auto all = place_settings();
    std::ranges::move(sign_in_settings(), std::back_inserter(all));
    std::ranges::move(directory_settings(), std::back_inserter(all));
    std::ranges::move(proxy_settings(), std::back_inserter(all));
    std::ranges::move(running_settings(), std::back_inserter(all));
    std::ranges::move(connection_settings(), std::back_inserter(all));
    std::ranges::move(webdav_settings(), std::back_inserter(all));
    return all;
  }();
  return kTable;
}

/// Those that can change while the server runs.
constexpr std::array<std::string_view, 9> kLive{"access_log",      "audit_days",   "bin_days",
                                                "cors_origins",    "share_roots",  "share_with",
                                                "trusted_proxies", "version_days", "versions_kept"};

bool is_live(std::string_view key) {
  return std::ranges::find(kLive, key) != kLive.end();
}

/// The setting of that key, or null.
const Setting* find_setting(std::string_view key) {
  const auto table = setting_table();
  const auto found = std::ranges::find(table, key, &Setting::key);
  return found == table.end() ? nullptr : &*found;
}

/// The variable of the environment that sets a key: the prefix and the key in capitals.
std::string variable_of(std::string_view key) {
  std::string name(kVariablePrefix);
  for (const unsigned char c : key) name += static_cast<char>(std::toupper(c));
  return name;
}

/// Reads a value of a setting's type from text, as flags and the environment give it; lists are
/// separated by commas. `invalid` says what is expected.
Result<SettingValue> value_from_text(const Setting& setting, std::string_view text) {
  switch (setting.kind.index()) {
    case 0:
      return bool_from(text);
    case 1:
      return number_from(text);
    case 2:
      return SettingValue(std::string(text));
    default:
      return list_from(text);
  }
}

Result<SettingValue> value_from_toml(const Setting& setting, const toml::node& node) {
  switch (setting.kind.index()) {
    case 0:
      if (const auto value = node.value_exact<bool>()) return SettingValue(*value);
      return refuse("must be true or false");
    case 1:
      if (const auto value = node.value_exact<std::int64_t>()) return SettingValue(*value);
      return refuse("must be a whole number");
    case 2:
      if (const auto value = node.value_exact<std::string>()) return SettingValue(*value);
      return refuse("must be a text in quotes");
    default:
      break;
  }
  const toml::array* array = node.as_array();
  if (!array || !array->is_homogeneous<std::string>()) {
    if (!array || !array->empty()) return refuse("must be a list of texts");
  }
  std::vector<std::string> texts;
  for (const toml::node& element : *array) texts.push_back(*element.value<std::string>());
  return SettingValue(std::move(texts));
}

/// The place of a value and its name there.
struct Source {
  core::SettingOrigin origin;
  std::string_view where;
  std::string_view name;
};

Result<void> apply(Settings& settings, const Source& source, const Setting& setting,
                   Result<SettingValue> value) {
  auto set = value ? setting.set(settings, *value) : Result<void>(failure_of(value));
  if (!set) {
    return refuse(fmt::format("{}: {} {}.", source.where, source.name, set.error().message));
  }
  settings.origins[std::string(setting.key)] = source.origin;
  return {};
}

Result<void> check_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto type = std::filesystem::status(file, error).type();
  if (type == std::filesystem::file_type::not_found) {
    return refuse(fmt::format("The file of settings {} is not there.", file.string()));
  }
  if (type == std::filesystem::file_type::directory) {
    return refuse(fmt::format("{} is a folder, not a file of settings.", file.string()));
  }
  if (::access(file.c_str(), R_OK) == 0) return {};
  return refuse(fmt::format("The file of settings {} cannot be read: {}.", file.string(),
                            std::strerror(errno)));
}

std::vector<std::string> all_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : setting_table()) keys.emplace_back(setting.key);
  return keys;
}

Result<void> apply_file(Settings& settings, const std::filesystem::path& file) {
  TRY_VOID(check_file(file));
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    return refuse(fmt::format("{}: line {}: {}.", file.string(), error.source().begin.line,
                              error.description()));
  }
  for (const auto& [key, node] : table) {
    const Setting* setting = find_setting(key.str());
    if (!setting) {
      const auto near = similar_word(key.str(), all_keys());
      return refuse(fmt::format("{}: there is no setting \"{}\"{}", file.string(), key.str(),
                                near.empty() ? "." : fmt::format("; did you mean \"{}\"?", near)));
    }
    const std::string where = file.string();
    const Source source{core::SettingOrigin::file, where, key.str()};
    TRY_VOID(apply(settings, source, *setting, value_from_toml(*setting, node)));
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
    const auto near = similar_word(lower(name.substr(kVariablePrefix.size())), all_keys());
    if (!near.empty()) list += fmt::format(" (did you mean {}?)", variable_of(near));
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
      return refuse(fmt::format("The environment: {} must be UTF-8.", name));
    }
    const Source source{core::SettingOrigin::environment, "The environment", name};
    TRY_VOID(apply(settings, source, *setting, value_from_text(*setting, text)));
  }
  settings.warning = warning_of(unknown);
  return {};
}

Result<void> apply_flags(Settings& settings, const Flags& flags) {
  for (const auto& [key, text] : flags) {
    const Setting& setting = *find_setting(key);
    const std::string name = "--" + key;
    const Source source{core::SettingOrigin::command_line, "The command line", name};
    TRY_VOID(apply(settings, source, setting, value_from_text(setting, text)));
  }
  return {};
}

/// The settings file in the data folder; empty if the folder is not known.
Result<std::filesystem::path> own_file(const std::map<std::string, std::string>& environment,
                                       const Flags& flags) {
  Settings known;
  TRY_VOID(apply_environment(known, environment));
  TRY_VOID(apply_flags(known, flags));
  if (known.data.empty()) return std::filesystem::path();
  return known.data / kSettingsFile;
}

Result<void> apply_own_file(Settings& settings) {
  const std::filesystem::path file = settings.file;
  TRY_VOID(apply_file(settings, file));
  if (!settings.origins.contains("data")) return {};
  return refuse(fmt::format("{}: data cannot stand in a file of the data folder.", file.string()));
}

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

std::string Settings::database_url() const {
  if (!database.empty()) return database;
  return "sqlite://" +
         (std::filesystem::absolute(data) / "catalog.sqlite").lexically_normal().string();
}

std::string Settings::catalog_name() const {
  constexpr std::string_view kSqlite = "sqlite://";
  std::string url = database_url();
  if (!url.starts_with(kSqlite)) return url;
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(url.substr(kSqlite.size()), error);
  return error ? url : std::string(kSqlite) + path.string();
}

Result<Settings> load_settings(const std::optional<std::filesystem::path>& file,
                               const std::map<std::string, std::string>& environment,
                               const Flags& flags) {
  Settings settings;
  if (file) {
    settings.file = *file;
    TRY_VOID(apply_file(settings, *file));
  } else {
    TRY(settings.file, own_file(environment, flags));
    std::error_code ignored;  // Who may not look into the data folder has no settings there.
    const bool is_there = !settings.file.empty() && std::filesystem::exists(settings.file, ignored);
    if (is_there) TRY_VOID(apply_own_file(settings));
  }
  TRY_VOID(apply_environment(settings, environment));
  TRY_VOID(apply_flags(settings, flags));
  if (settings.data.empty()) {
    return refuse("The data folder is missing: give it with --data DIR.");
  }
  std::error_code error;
  static_cast<void>(std::filesystem::absolute(settings.data, error));
  if (error) {
    return refuse(fmt::format("The data folder {} is not found, since the working folder is gone.",
                              settings.data.string()));
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

std::vector<core::ServerSetting> shown_settings(const Settings& settings) {
  std::vector<core::ServerSetting> all;
  for (const Setting& setting : setting_table()) {
    core::ServerSetting& shown = all.emplace_back();
    shown.key = setting.key;
    shown.help = setting.help;
    shown.value = json_of(setting.get(settings));
    const auto origin = settings.origins.find(shown.key);
    if (origin != settings.origins.end()) shown.origin = origin->second;
    shown.is_live = is_live(shown.key);
    if (shown.key == "database") shown.value = without_login(settings.database);
  }
  return all;
}

SettingChanges changes_between(const Settings& in_force, const Settings& read) {
  SettingChanges changes;
  for (const Setting& setting : setting_table()) {
    if (setting.get(in_force) == setting.get(read)) continue;
    auto& keys = is_live(setting.key) ? changes.live : changes.waiting;
    keys.emplace_back(setting.key);
  }
  return changes;
}

Settings with_values(Settings in_force, const Settings& read,
                     const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const Setting& setting = *find_setting(key);
    // It was accepted when it was read.
    static_cast<void>(setting.set(in_force, setting.get(read)));
    in_force.origins.erase(key);
    const auto origin = read.origins.find(key);
    if (origin != read.origins.end()) in_force.origins.insert(*origin);
  }
  return in_force;
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

std::string settings_template() {
  std::ostringstream out;
  out << "# Settings of Coffer. A line without # in front of it counts instead of the default.\n";
  const Settings defaults;
  for (const Setting& setting : setting_table()) {
    out << "\n# " << setting.help << "\n# " << setting.key << " = ";
    print_value(out, setting.get(defaults));
    out << '\n';
  }
  return out.str();
}

std::string settings_help() {
  std::ostringstream out;
  out << "Settings, each a line `key = value` of a file, or a variable. The file is the one that\n"
         "--config names, or coffer.toml in the data folder:\n";
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
