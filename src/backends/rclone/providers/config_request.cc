#include "backends/rclone/providers/config_request.h"

#include <boost/json.hpp>
#include <utility>

namespace coffer::rclone {

namespace json = boost::json;

json::object config_request_of(const std::string& name, const RemoteConfig& config) {
  json::object parameters;
  for (const auto& [key, value] : config.parameters) parameters[key] = value;
  if (config.parameters.contains("token")) parameters["config_refresh_token"] = "false";
  return {{"name", name},
          {"type", config.type},
          {"parameters", std::move(parameters)},
          {"opt", json::object{{"nonInteractive", true}, {"obscure", true}}}};
}

}  // namespace coffer::rclone
