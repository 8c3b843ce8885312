#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>

#include "async/task.h"

namespace coffer::rclone {

/// Passes on what each side sends, and that it has ended, until both have ended, one breaks or
/// nothing has passed for so long. The sockets may be open or closed then.
Task<void> relay(asio::ip::tcp::socket& client, asio::ip::tcp::socket& server,
                 std::chrono::steady_clock::duration idle_limit);

}  // namespace coffer::rclone
