#include "backends/rclone/engine/basic_authorization.h"

#include <fmt/format.h>

#include "base/base64.h"

namespace coffer::rclone {

std::string basic_authorization(std::string_view user, std::string_view password) {
  return "Basic " + to_base64(fmt::format("{}:{}", user, password));
}

}  // namespace coffer::rclone
