#include "core/connectors/drive_settings.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <exception>

namespace coffer::core {
namespace {

namespace json = boost::json;

std::string text_of(const json::value& value) {
  return std::string(value.as_string());
}

}  // namespace

std::string value_in(const DriveParameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

std::string to_text(const DriveSettings& settings) {
  return json::serialize(json::object{{"type", settings.type},
                                      {"root", settings.root},
                                      {"mayBePrivate", settings.may_be_private},
                                      {"revision", settings.revision},
                                      {"login", settings.login}});
}

std::string to_text(const DriveParameters& parameters) {
  json::object object;
  for (const auto& [name, value] : parameters) object[name] = value;
  return json::serialize(object);
}

Result<DriveSettings> drive_settings_of(const catalog::Connector& connector,
                                        std::string_view secret) {
  try {
    const json::object object = json::parse(connector.settings).as_object();
    DriveSettings settings;
    settings.type = text_of(object.at("type"));
    settings.root = text_of(object.at("root"));
    settings.may_be_private = object.at("mayBePrivate").as_bool();
    settings.revision = text_of(object.at("revision"));
    settings.login = text_of(object.at("login"));
    const json::value parameters = json::parse(json::string_view(secret.data(), secret.size()));
    for (const auto& [name, value] : parameters.as_object()) {
      settings.parameters[std::string(name)] = text_of(value);
    }
    return settings;
  } catch (const std::exception&) {
    return fail(ErrorCode::failed,
                fmt::format("The settings of the connector {} are damaged.", connector.name));
  }
}

std::string target_of(const DriveSettings& settings) {
  return fmt::format("{}:{}", settings.type, settings.root);
}

}  // namespace coffer::core
