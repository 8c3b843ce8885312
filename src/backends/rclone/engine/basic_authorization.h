#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/encoding.h"

namespace coffer::rclone {

/// The value of the header Authorization, or Proxy-Authorization, for HTTP's scheme Basic.
inline std::string basic_authorization(std::string_view user, std::string_view password) {
  return "Basic " + to_base64(fmt::format("{}:{}", user, password));
}

}  // namespace coffer::rclone
