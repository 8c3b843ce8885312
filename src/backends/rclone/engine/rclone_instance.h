#pragma once

#include <cstdint>
#include <string>

namespace coffer::rclone {

/// One life of the engine, from its start to its end: where its remote control listens on
/// 127.0.0.1, and what lets a caller in.
struct RcloneInstance {
  std::uint64_t number = 0;  ///< Counts the lives; what an earlier one was given is forgotten.
  std::uint16_t port = 0;
  std::string authorization;  ///< The value of that header. A secret.
};

}  // namespace coffer::rclone
