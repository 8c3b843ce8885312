#include "mounts/server_type.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <exception>
#include <tuple>
#include <utility>

#include "backends/ftp/ftp_backend.h"
#include "backends/sftp/sftp_backend.h"
#include "base/text.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/connector_types.h"
#include "mounts/given_flags.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;
using core::ConnectorPatch;
using core::ConnectorSettings;
using core::Credential;
using core::TlsMode;

std::string member_text(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

/// Throws if there is no such set: in another one, names would mean other items.
CharacterSet set_of(const json::value& value) {
  const std::string word(value.as_string());
  return enum_from<CharacterSet>(word).value();
}

bool is_text(std::string_view text, std::size_t limit) {
  return text.size() <= limit && is_utf8(text) && !has_control_character(text);
}

bool is_host(std::string_view text) {
  constexpr std::size_t kLimit = 253;
  if (text.contains(':')) {
    in6_addr address{};
    return ::inet_pton(AF_INET6, std::string(text).c_str(), &address) == 1;
  }
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= kLimit && std::ranges::all_of(text, allowed);
}

ftp::Tls tls_of(TlsMode mode) {
  if (mode == TlsMode::explicit_) return ftp::Tls::explicit_tls;
  return mode == TlsMode::implicit ? ftp::Tls::implicit_tls : ftp::Tls::none;
}

class FtpType final : public ServerType {
 public:
  using ServerType::ServerType;

 private:
  std::uint16_t default_port(TlsMode tls) const override {
    return tls == TlsMode::implicit ? 990 : 21;
  }
  std::string_view scheme_of(const ConnectorSettings& settings) const override {
    return settings.tls == TlsMode::implicit ? "ftps" : "ftp";
  }
  Result<void> check_own(const ConnectorSettings& settings) const override {
    if (settings.credential == core::Credential::private_key) {
      return fail(ErrorCode::invalid, "A private key is for SFTP.");
    }
    if (settings.host_key.empty()) return {};
    return fail(ErrorCode::invalid, "A host key is for SFTP.");
  }
  Opened open_server(const ConnectorSettings& settings, const ServerSecret& secret,
                     Pool& pool) override {
    auto options = options_for<ftp::FtpOptions>(settings);
    options.password = secret.secret;
    options.tls = tls_of(settings.tls);
    // libcurl's own choice of certificates is fixed otherwise.
    options.ca_file = storage::trusted_certificates().value_or("");
    return ftp::FtpBackend::open(std::move(options), pool);
  }
};

bool is_fingerprint(std::string_view text) {
  constexpr std::string_view kPrefix = "SHA256:";
  constexpr std::size_t kBase64Length = 43;
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kBase64Length;
}

class SftpType final : public ServerType {
 public:
  using ServerType::ServerType;

  bool has_host_key() const override { return true; }

  /// `invalid` without a host key. Another server has another one.
  Task<Result<void>> complete(AccountId account, const ConnectorSettings* before,
                              ConnectorSettings& settings, const ConnectorPatch& patch) override {
    const bool is_another = before != nullptr && is_another_server(*before, settings);
    if (is_another && !patch.host_key) settings.host_key.clear();
    if (patch.trusts_first_key) {
      CO_TRY(auto key, co_await host_key(account, settings));
      settings.host_key = std::move(key);
    }
    if (!settings.host_key.empty()) co_return Result<void>{};
    co_return fail(
        ErrorCode::invalid,
        "An SFTP server needs its host key, or the request to trust the key that it shows now.");
  }

  Task<Result<std::string>> host_key(AccountId account,
                                     const ConnectorSettings& settings) override {
    storage::Deadlines deadlines;
    deadlines.ending = access().ending();
    const storage::MayConnect may_connect = access().policy_for(settings.may_be_private);
    auto ask = [&] {
      return sftp::host_key_of(settings.host, settings.port, deadlines, may_connect);
    };
    co_return co_await access().pool(account).run(std::move(ask));
  }

 private:
  std::uint16_t default_port(core::TlsMode) const override { return 22; }
  std::string_view scheme_of(const ConnectorSettings&) const override { return "sftp"; }
  Result<void> check_own(const ConnectorSettings& settings) const override {
    if (settings.tls != core::TlsMode::none) {
      return fail(ErrorCode::invalid, "TLS is for FTP; SFTP is encrypted by itself.");
    }
    if (settings.host_key.empty() || is_fingerprint(settings.host_key)) return {};
    return fail(ErrorCode::invalid,
                "A host key is SHA256: and 43 characters, as ssh-keygen -l prints it.");
  }
  Opened open_server(const ConnectorSettings& settings, const ServerSecret& secret,
                     Pool& pool) override {
    auto options = options_for<sftp::SftpOptions>(settings);
    options.host_key = settings.host_key;
    if (settings.credential == core::Credential::private_key) {
      options.credential.private_key = secret.secret;
      options.credential.passphrase = secret.passphrase;
    } else {
      options.credential.password = secret.secret;
    }
    return sftp::SftpBackend::open(std::move(options), pool);
  }
};

}  // namespace

Result<ServerSecret> secret_of(std::string_view text) {
  try {
    const json::object object =
        json::parse(json::string_view(text.data(), text.size())).as_object();
    return ServerSecret{member_text(object, "secret"), member_text(object, "passphrase")};
  } catch (const std::exception&) {
    return fail(ErrorCode::failed, "A stored secret is damaged.");
  }
}

bool is_another_server(const ConnectorSettings& before, const ConnectorSettings& after) {
  return before.host != after.host || before.port != after.port;
}

Result<ConnectorSettings> ServerType::read(const catalog::Connector& connector,
                                           std::string_view) const {
  try {
    const json::object object = json::parse(connector.settings).as_object();
    ConnectorSettings settings;
    settings.host = member_text(object, "host");
    settings.port = object.at("port").to_number<std::uint16_t>();
    settings.user = member_text(object, "user");
    settings.root = member_text(object, "root");
    settings.tls = enum_from<TlsMode>(member_text(object, "tls")).value_or(TlsMode::none);
    // Connectors that were stored before sets could be chosen have none.
    const auto* set = object.if_contains("characterSet");
    if (set != nullptr) settings.character_set = set_of(*set);
    const bool is_key = member_text(object, "credential") == "private_key";
    settings.credential = is_key ? Credential::private_key : Credential::password;
    settings.host_key = member_text(object, "hostKey");
    settings.may_be_private = object.at("mayBePrivate").as_bool();
    read_given(object, settings);
    return settings;
  } catch (const std::exception&) {
    return fail(ErrorCode::failed,
                fmt::format("The settings of the connector {} are damaged.", connector.name));
  }
}

core::StoredConnector ServerType::stored(const ConnectorSettings& settings,
                                         const ConnectorPatch& patch) const {
  json::object text = {
      {"host", settings.host},
      {"port", settings.port},
      {"user", settings.user},
      {"root", settings.root},
      {"tls", word_of(settings.tls)},
      {"characterSet", word_of(settings.character_set)},
      {"credential", settings.credential == Credential::password ? "password" : "private_key"},
      {"hostKey", settings.host_key},
      {"mayBePrivate", settings.may_be_private}};
  add_given(settings, text);
  const json::object secret = {{"secret", patch.secret.value_or("")},
                               {"passphrase", patch.passphrase.value_or("")}};
  const bool is_v6 = settings.host.find(':') != std::string::npos;
  const bool has_slash = settings.root.starts_with('/');
  return {json::serialize(text), json::serialize(secret),
          fmt::format("{}://{}@{}{}{}:{}{}{}", scheme_of(settings), settings.user, is_v6 ? "[" : "",
                      settings.host, is_v6 ? "]" : "", settings.port, has_slash ? "" : "/",
                      settings.root)};
}

Result<void> ServerType::apply(ConnectorSettings& settings, const ConnectorPatch& patch) const {
  if (settings.port == default_port(settings.tls)) settings.port = 0;
  if (patch.tls) settings.tls = *patch.tls;
  if (patch.character_set) settings.character_set = *patch.character_set;
  if (patch.host) settings.host = *patch.host;
  if (patch.user) settings.user = *patch.user;
  if (patch.root) settings.root = *patch.root;
  if (patch.host_key) settings.host_key = *patch.host_key;
  if (patch.credential) settings.credential = *patch.credential;
  if (patch.port) settings.port = *patch.port;
  if (settings.port == 0) settings.port = default_port(settings.tls);
  return {};
}

Result<void> ServerType::check(const ConnectorSettings* before, const ConnectorSettings& settings,
                               const ConnectorPatch& patch) const {
  if (patch.port == 0) return fail(ErrorCode::invalid, "A port is 1 to 65535.");
  if (!is_host(settings.host)) {
    return fail(ErrorCode::invalid,
                "The host is not a valid name or address. Its port is told apart.");
  }
  if (settings.user.empty() || !is_text(settings.user, 255)) {
    return fail(ErrorCode::invalid, "A user of 1 to 255 bytes is needed.");
  }
  TRY_VOID(core::check_root(settings.root));
  TRY_VOID(check_own(settings));
  const bool has_key = settings.credential == Credential::private_key && patch.secret;
  if (patch.passphrase && !has_key) {
    // They are sealed together: alone it would not be kept.
    return fail(ErrorCode::invalid, "A passphrase must be given together with its private key.");
  }
  if (before == nullptr || patch.secret) return {};
  if (is_another_server(*before, settings)) {
    return fail(ErrorCode::invalid, "Another server or port needs the password or key said again.");
  }
  if (before->tls != TlsMode::none && settings.tls == TlsMode::none) {
    return fail(ErrorCode::invalid, "To go without TLS needs the password said again.");
  }
  return {};
}

bool ServerType::states_secrets(const ConnectorSettings&, const ConnectorPatch& patch) const {
  return patch.secret.has_value();
}

bool ServerType::states_addresses(const ConnectorSettings&, const ConnectorPatch& patch) const {
  return patch.host.has_value();
}

bool ServerType::is_another_place(const ConnectorSettings& before,
                                  const ConnectorSettings& after) const {
  const auto place = [](const ConnectorSettings& settings) {
    return std::tie(settings.host, settings.port, settings.user, settings.root,
                    settings.character_set);
  };
  return place(before) != place(after);
}

Task<Result<void>> ServerType::complete(AccountId, const ConnectorSettings*, ConnectorSettings&,
                                        const ConnectorPatch&) {
  co_return Result<void>{};
}

Result<std::shared_ptr<storage::Backend>> ServerType::open(const catalog::Connector& connector,
                                                           std::string_view text) {
  TRY(const auto settings, read(connector, text));
  TRY(const auto secret, secret_of(text));
  TRY(auto opened, open_server(settings, secret, access_.pool(connector.account)));
  return access_.guarded(std::move(opened), connector);
}

std::unique_ptr<core::ConnectorType> ftp_type(const TypeParts& parts) {
  return std::make_unique<FtpType>(catalog::ConnectorKind::ftp, parts.access);
}

std::unique_ptr<core::ConnectorType> sftp_type(const TypeParts& parts) {
  return std::make_unique<SftpType>(catalog::ConnectorKind::sftp, parts.access);
}

}  // namespace coffer::mounts
