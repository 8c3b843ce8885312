#pragma once

#include "base/error.h"

namespace coffer::rclone {

/// What a caller fails with when the engine ended before its answer: what was asked may be done.
inline const Error kEngineLost{ErrorCode::unavailable, "The engine of cloud drives has ended."};
/// The same where nothing was asked, so that trying again with a new engine does nothing twice.
inline const Error kNeverReached{ErrorCode::unavailable,
                                 "The engine of cloud drives cannot be reached."};

}  // namespace coffer::rclone
