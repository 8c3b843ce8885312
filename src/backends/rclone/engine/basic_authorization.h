#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/encoding.h"

namespace coffer::rclone {

/// Returns the value of the HTTP header Authorization or Proxy-Authorization for the authentication
/// scheme Basic (RFC 7617).
inline std::string basic_authorization(std::string_view user, std::string_view password) {
  return "Basic " + to_base64(fmt::format("{}:{}", user, password));
}

}  // namespace coffer::rclone
