#pragma once

#include "base/error.h"

namespace coffer::rclone {

/// What a caller fails with when the engine ended before its answer: what was asked may be done.
extern const Error kEngineLost;
/// The same where nothing was asked, so that trying again with a new engine does nothing twice.
extern const Error kNeverReached;

}  // namespace coffer::rclone
