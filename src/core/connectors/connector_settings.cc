#include "core/connectors/connector_settings.h"

namespace coffer::core {

std::string_view to_string(TlsMode tls) {
  if (tls == TlsMode::explicit_) return "explicit";
  return tls == TlsMode::implicit ? "implicit" : "none";
}

std::string value_in(const DriveParameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

}  // namespace coffer::core
