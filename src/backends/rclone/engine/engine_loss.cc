#include "backends/rclone/engine/engine_loss.h"

namespace coffer::rclone {

const Error kEngineLost{ErrorCode::unavailable, "The engine of cloud drives has ended."};
const Error kNeverReached{ErrorCode::unavailable, "The engine of cloud drives cannot be reached."};

}  // namespace coffer::rclone
