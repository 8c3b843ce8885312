#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string_view>

#include "async/task.h"
#include "base/error.h"

namespace coffer::mounts {

/// One call of the remote control of the rclone that serves such drives: a method, which lives
/// until the task ends, and its parameters. Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(
    bool may_be_private, std::string_view method, boost::json::object parameters)>;

}  // namespace coffer::mounts
