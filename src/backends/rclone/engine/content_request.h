#pragma once

#include <cstdint>
#include <string_view>

#include "backends/rclone/engine/http_exchange.h"

namespace coffer::rclone {

/// Asks for a file's content from `offset` on. `fs` is what rclone calls the remote.
HttpExchange::Request content_request(std::string_view fs, std::string_view place,
                                      std::uint64_t offset);

}  // namespace coffer::rclone
