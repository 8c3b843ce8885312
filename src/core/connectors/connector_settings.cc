#include "core/connectors/connector_settings.h"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace coffer::core {
namespace {

namespace json = boost::json;

TlsMode tls_from(std::string_view text) {
  if (text == "explicit") return TlsMode::explicit_;
  return text == "implicit" ? TlsMode::implicit : TlsMode::none;
}

std::string text_in(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

}  // namespace

std::string_view to_string(TlsMode tls) {
  if (tls == TlsMode::explicit_) return "explicit";
  return tls == TlsMode::implicit ? "implicit" : "none";
}

std::uint16_t default_port(catalog::ConnectorKind kind, TlsMode tls) {
  if (kind == catalog::ConnectorKind::sftp) return 22;
  return tls == TlsMode::implicit ? 990 : 21;
}

std::string to_text(const ConnectorSettings& settings) {
  return json::serialize(json::object{
      {"host", settings.host},
      {"port", settings.port},
      {"user", settings.user},
      {"root", settings.root},
      {"tls", to_string(settings.tls)},
      {"credential", settings.credential == Credential::password ? "password" : "private_key"},
      {"hostKey", settings.host_key},
      {"mayBePrivate", settings.may_be_private}});
}

Result<ConnectorSettings> settings_of(const catalog::Connector& connector) {
  try {
    const json::object object = json::parse(connector.settings).as_object();
    ConnectorSettings settings;
    settings.kind = connector.kind;
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

std::string to_text(const ConnectorSecret& secret) {
  return json::serialize(
      json::object{{"secret", secret.secret}, {"passphrase", secret.passphrase}});
}

Result<ConnectorSecret> secret_of(std::string_view text) {
  try {
    const json::object object =
        json::parse(json::string_view(text.data(), text.size())).as_object();
    return ConnectorSecret{text_in(object, "secret"), text_in(object, "passphrase")};
  } catch (const std::exception&) {
    return fail(ErrorCode::failed, "A stored secret is damaged.");
  }
}

std::string target_of(const ConnectorSettings& settings) {
  std::string_view scheme = "sftp";
  if (settings.kind == catalog::ConnectorKind::ftp) {
    scheme = settings.tls == TlsMode::implicit ? "ftps" : "ftp";
  }
  const bool is_v6 = settings.host.find(':') != std::string::npos;
  const bool has_slash = settings.root.starts_with('/');
  return fmt::format("{}://{}@{}{}{}:{}{}{}", scheme, settings.user, is_v6 ? "[" : "",
                     settings.host, is_v6 ? "]" : "", settings.port, has_slash ? "" : "/",
                     settings.root);
}

}  // namespace coffer::core
