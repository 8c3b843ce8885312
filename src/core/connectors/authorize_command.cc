#include "core/connectors/authorize_command.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/encoding.h"
#include "base/text.h"

namespace coffer::core {
namespace {

/// As rclone takes base64.
constexpr bool kPadded = false;

}  // namespace

std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers) {
  boost::json::object told;
  for (const auto& [name, value] : settings.parameters) {
    if (!providers.is_secret(settings.provider, name)) told[name] = value;
  }
  // Without parameters, rclone would not print what else the provider said, as the host of pcloud.
  return fmt::format("rclone authorize \"{}\" \"{}\"", settings.provider,
                     to_base64(boost::json::serialize(told), kPadded));
}

std::string authorize_environment(const ConnectorSettings& settings) {
  if (!settings.parameters.contains("client_secret")) return {};
  const bool is_short = settings.provider == "google cloud storage";
  return fmt::format("RCLONE_{}_CLIENT_SECRET", is_short ? "GCS" : to_upper(settings.provider));
}

}  // namespace coffer::core
