#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "backends/rclone/providers/providers.h"

namespace coffer::rclone {

/// What `config/create` is asked with for a remote of that name. Rclone obscures itself what it
/// wants obscured, and asks nothing about a token that is there.
boost::json::object config_request_of(const std::string& name, const RemoteConfig& config);

}  // namespace coffer::rclone
