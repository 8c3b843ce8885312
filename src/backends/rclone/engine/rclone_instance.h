#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace coffer::rclone {

/// One run of the engine, from its start to its end: the port of its remote control on 127.0.0.1,
/// and the header that lets a caller in.
struct RcloneInstance {
  std::uint64_t number = 0;  ///< Counts the lives; what an earlier one was given is forgotten.
  std::uint16_t port = 0;
  std::string authorization;  ///< The value of that header. A secret.
};

/// The error of a caller whose engine ended before its reply: the request may have been carried
/// out.
inline const Error kEngineLost{ErrorCode::unavailable, "The engine of cloud drives has ended."};
/// The same where nothing was asked, so that trying again with a new engine does nothing twice.
inline const Error kNeverReached{ErrorCode::unavailable,
                                 "The engine of cloud drives cannot be reached."};

}  // namespace coffer::rclone
