#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/listen_address.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/log.h"
#include "catalog/account.h"
#include "catalog/people_shares.h"
#include "core/identity/sign_in_rules.h"
#include "core/server_setting.h"
#include "http/tls_context.h"

namespace coffer::app {

/// With `durable`, a file change is synced to the disk before the client is told that it succeeded.
enum class Durability { durable, relaxed };
constexpr auto words_of(Durability) {
  return enum_words<Durability>(
      {{Durability::durable, "durable"}, {Durability::relaxed, "relaxed"}});
}

/// Whether the server is the only one on its catalog, or one of several.
enum class ServerCount { one, several };
constexpr auto words_of(ServerCount) {
  return enum_words<ServerCount>({{ServerCount::one, "one"}, {ServerCount::several, "several"}});
}

/// What becomes of the files that macOS makes for itself by WebDAV.
enum class MacFiles { keep, refuse };
constexpr auto words_of(MacFiles) {
  return enum_words<MacFiles>({{MacFiles::keep, "keep"}, {MacFiles::refuse, "refuse"}});
}

using catalog::HomeStore;

/// The settings of the program. The defaults suit one person on one machine.
struct Settings {
  std::filesystem::path data;  ///< The data folder; required.
  ListenAddress listen;
  std::optional<ListenAddress> tls_listen;  ///< Where the server speaks TLS; absent: nowhere.
  std::filesystem::path tls_certificate;    ///< See http::TlsOptions.
  std::filesystem::path tls_key;
  http::TlsVersion tls_min = http::TlsVersion::tls_1_2;
  bool http2 = true;
  /// The server's address as people have it: an Origin, see is_origin. Empty: it is not known.
  std::string public_url;
  std::optional<ListenAddress> redirect_listen;  ///< See RedirectServer; absent: there is none.
  std::filesystem::path acme_webroot;
  std::uint64_t hsts_days = 0;  ///< See http::ServerOptions::hsts.
  std::string base_path;        ///< See http::ServerOptions::base_path.
  std::string database;         ///< Empty: SQLite in the data folder.
  ServerCount servers = ServerCount::one;
  Durability durability = Durability::durable;
  HomeStore home_store = HomeStore::files;  ///< Of new accounts.
  // See mounts::ObjectStoreOptions; needed if own files of any account are objects.
  std::string objects_endpoint;
  std::string objects_bucket;
  std::string objects_region = "us-east-1";
  bool objects_path_style = true;
  std::filesystem::path objects_credentials_file;
  std::uint64_t objects_keep_days = 1;  ///< At least 1. How long objects of no file are kept.
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::text;
  bool access_log = true;
  bool webdav = true;             ///< Serve WebDAV below /dav/.
  bool webdav_passwords = false;  ///< See api::dav::Options::passwords.
  MacFiles webdav_mac_files = MacFiles::keep;
  bool private_connectors = false;       ///< Users' connectors may use private addresses.
  std::vector<std::string> share_roots;  ///< Absolute paths; folders below them may be shared.
  std::vector<std::string> cors_origins;
  std::vector<std::string> trusted_proxies;   ///< Addresses and networks.
  std::filesystem::path admin_password_file;  ///< The first account's; if empty, see SetupLink.
  std::filesystem::path metrics_token_file;   ///< Empty: no metrics.
  core::PasswordSignIn password_sign_in = core::PasswordSignIn::everyone;
  core::SecondFactorNeed second_factor = core::SecondFactorNeed::optional;
  bool passkeys = true;
  // The provider of sign-in: see OidcProvider and core::ProviderSignInOptions.
  std::string oidc_issuer;
  std::string oidc_client_id;
  std::filesystem::path oidc_client_secret_file;
  std::filesystem::path oidc_ca_file;
  std::string oidc_name;
  std::string oidc_scopes = "openid profile";
  std::string oidc_name_claim = "preferred_username";
  std::string oidc_groups_claim;
  std::vector<std::string> oidc_allowed_groups;
  std::vector<std::string> oidc_admin_groups;
  std::string oidc_quota_claim;
  std::vector<std::string> oidc_group_quotas;
  bool oidc_create_accounts = true;
  std::uint64_t oidc_session_hours = 24;  ///< At least 1.
  bool oidc_logout_ends_keys = false;
  // The directory that passwords are checked by: see ldap::DirectoryOptions.
  std::string ldap_url;
  bool ldap_start_tls = false;
  std::filesystem::path ldap_ca_file;
  std::string ldap_bind_dn;
  std::filesystem::path ldap_bind_password_file;
  std::string ldap_base;
  std::string ldap_filter = "(uid={name})";
  std::string ldap_id_attribute = "entryUUID";
  std::string ldap_name_attribute = "uid";
  std::string ldap_groups_attribute = "memberOf";
  std::vector<std::string> ldap_allowed_groups;
  std::vector<std::string> ldap_admin_groups;
  bool ldap_create_accounts = true;
  // What a trusted proxy says of people: see core::ProxyWords.
  std::string proxy_user_header;    ///< Empty: no proxy signs people in.
  std::string proxy_groups_header;  ///< May be empty.
  std::vector<std::string> proxy_allowed_groups;
  std::vector<std::string> proxy_admin_groups;
  bool proxy_create_accounts = true;
  std::uint64_t proxy_session_hours = 24;  ///< At least 1.
  std::uint64_t audit_days = 365;          ///< At least 1.
  std::uint64_t bin_days = 30;             ///< At least 1.
  catalog::Acquaintance share_with = catalog::Acquaintance::all;
  std::uint64_t version_days = 30;        ///< 0: replaced contents are not kept.
  std::uint64_t versions_kept = 20;       ///< Of each file; at least 1.
  std::uint64_t mount_uploads_limit = 0;  ///< In bytes; 0: see core::MountRoom.
  std::uint64_t memory_mib = 128;         ///< For what clients have not yet taken.
  std::uint64_t threads = 0;              ///< 0: one for each core.
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds idle_timeout{75'000};
  std::chrono::milliseconds stall_timeout{30'000};
  std::uint64_t min_rate_bytes = 256;
  std::chrono::milliseconds min_rate_window{60'000};
  std::chrono::milliseconds drain_time{0};
  std::chrono::milliseconds stop_timeout{30'000};

  std::filesystem::path file;  ///< The settings file; it may not exist. See load_settings.

  /// The source of each value that was set explicitly. The map's keys are the settings' keys.
  std::map<std::string, core::SettingOrigin> origins;

  /// A warning for the log that names unknown environment variables `COFFER_…`; empty if none.
  std::string warning;

  /// Returns the catalog's address: `database`, or SQLite in the data folder.
  std::string database_url() const;
  /// Returns `database_url`, with the symbolic links in an SQLite path resolved, so that each
  /// catalog has only one name. Contains the user and password of a PostgreSQL URL.
  std::string catalog_name() const;
};

/// Values from the command line, by the settings' keys.
using Flags = std::map<std::string, std::string>;

/// The name of the settings file in the data folder.
inline constexpr const char* kSettingsFile = "coffer.toml";

/// Reads the settings from the defaults, the TOML file, the environment, and the flags. If no file
/// is given, it is kSettingsFile in the data folder, which may be missing and cannot set `data`.
/// Each source overrides the sources before it. The environment variable of a setting is
/// `COFFER_` and the key in capitals. `invalid` if a setting is wrong; the message is one line that
/// names the source and the setting. Unknown variables `COFFER_…` only cause a warning, because
/// other programs may set them: Kubernetes sets `COFFER_PORT` for a service named coffer.
Result<Settings> load_settings(const std::optional<std::filesystem::path>& file,
                               const std::map<std::string, std::string>& environment,
                               const Flags& flags);

std::map<std::string, std::string> process_environment();

/// Returns a description of all settings, their environment variables and their defaults.
std::string settings_help();

/// Returns the settings as administrators see them: a PostgreSQL address is cut to its scheme.
std::vector<core::ServerSetting> shown_settings(const Settings& settings);

/// The keys of settings that differ.
struct SettingChanges {
  std::vector<std::string> live;  ///< They can change while the server runs (ServerSetting).
  std::vector<std::string> waiting;
};
SettingChanges changes_between(const Settings& in_force, const Settings& read);

/// Returns `in_force` with the values that `read` has of these keys.
Settings with_values(Settings in_force, const Settings& read, const std::vector<std::string>& keys);

/// Returns the settings as the text of a TOML file that load_settings accepts.
std::string print_settings(const Settings& settings);

/// Returns a TOML file with all settings as comments, each with its meaning and its default.
std::string settings_template();

}  // namespace coffer::app
