#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace coffer::rclone {

/// A run of the engine: one rclone process from its start to its end. Holds the port of the
/// process's remote control on 127.0.0.1, and the credential for the remote control.
struct RcloneInstance {
  /// Increases with each start of rclone. A new process has none of the remotes of an earlier one.
  std::uint64_t number = 0;
  std::uint16_t port = 0;
  std::string authorization;  ///< The value of the header Authorization. A secret.
};

/// The error if the engine ended before it replied. The request may have been executed.
inline const Error kEngineLost{ErrorCode::unavailable, "The cloud drive engine has stopped."};
/// The error if no engine listened at the port. The request was not sent, so it can be retried with
/// a new engine.
inline const Error kNeverReached{ErrorCode::unavailable,
                                 "The cloud drive engine cannot be reached."};

}  // namespace coffer::rclone
