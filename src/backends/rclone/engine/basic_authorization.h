#pragma once

#include <string>
#include <string_view>

namespace coffer::rclone {

/// The value of the header Authorization, or Proxy-Authorization, for HTTP's scheme Basic.
std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace coffer::rclone
