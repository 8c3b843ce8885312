#include "mounts/server_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <exception>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "core/connectors/guarded_backend.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;
using core::ConnectorPatch;
using core::ConnectorSettings;
using core::Credential;
using core::TlsMode;

TlsMode tls_from(std::string_view text) {
  if (text == "explicit") return TlsMode::explicit_;
  return text == "implicit" ? TlsMode::implicit : TlsMode::none;
}

std::string text_in(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

bool is_text(std::string_view text, std::size_t limit) {
  return text.size() <= limit && is_utf8(text) && !has_control_character(text);
}

bool is_host(std::string_view text) {
  constexpr std::size_t kLimit = 253;
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ':';
  };
  return !text.empty() && text.size() <= kLimit && std::ranges::all_of(text, allowed);
}

}  // namespace

Result<ServerSecret> secret_of(std::string_view text) {
  try {
    const json::object object =
        json::parse(json::string_view(text.data(), text.size())).as_object();
    return ServerSecret{text_in(object, "secret"), text_in(object, "passphrase")};
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
    settings.host = text_in(object, "host");
    settings.port = object.at("port").to_number<std::uint16_t>();
    settings.user = text_in(object, "user");
    settings.root = text_in(object, "root");
    settings.tls = tls_from(text_in(object, "tls"));
    const bool is_key = text_in(object, "credential") == "private_key";
    settings.credential = is_key ? Credential::private_key : Credential::password;
    settings.host_key = text_in(object, "hostKey");
    settings.may_be_private = object.at("mayBePrivate").as_bool();
    return settings;
  } catch (const std::exception&) {
    return fail(ErrorCode::failed,
                fmt::format("The settings of the connector {} are damaged.", connector.name));
  }
}

core::StoredConnector ServerType::stored(const ConnectorSettings& settings,
                                         const ConnectorPatch& patch) const {
  const json::object text = {
      {"host", settings.host},
      {"port", settings.port},
      {"user", settings.user},
      {"root", settings.root},
      {"tls", to_string(settings.tls)},
      {"credential", settings.credential == Credential::password ? "password" : "private_key"},
      {"hostKey", settings.host_key},
      {"mayBePrivate", settings.may_be_private}};
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
  if (!is_host(settings.host)) return fail(ErrorCode::invalid, "The host is no name or address.");
  if (settings.user.empty() || !is_text(settings.user, 255)) {
    return fail(ErrorCode::invalid, "A user of 1 to 255 bytes is needed.");
  }
  if (auto rooted = core::check_root(settings.root); !rooted) return rooted;
  if (auto own = check_own(settings); !own) return own;
  const bool has_key = settings.credential == Credential::private_key && patch.secret;
  if (patch.passphrase && !has_key) {
    // They are sealed together, so that it would be kept nowhere.
    return fail(ErrorCode::invalid, "A passphrase needs its private key beside it.");
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

bool ServerType::states_addresses(const ConnectorSettings&, const ConnectorPatch& patch) const {
  return patch.host.has_value();
}

bool ServerType::is_another_place(const ConnectorSettings& before,
                                  const ConnectorSettings& after) const {
  const auto place = [](const ConnectorSettings& settings) {
    return std::tie(settings.host, settings.port, settings.user, settings.root);
  };
  return place(before) != place(after);
}

Task<Result<void>> ServerType::settle(AccountId, const ConnectorSettings*, ConnectorSettings&,
                                      const ConnectorPatch&) {
  co_return Result<void>{};
}

Result<std::shared_ptr<storage::Backend>> ServerType::open(const catalog::Connector& connector,
                                                           std::string_view text) {
  const auto settings = read(connector, text);
  if (!settings) return failure_of(settings);
  const auto secret = secret_of(text);
  if (!secret) return failure_of(secret);
  auto opened = open_server(*settings, *secret, access_.pool(connector.account));
  if (!opened) return failure_of(std::move(opened));
  return std::make_shared<core::GuardedBackend>(*std::move(opened), connector.name);
}

}  // namespace coffer::mounts
