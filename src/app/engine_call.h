#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string_view>

#include "async/task.h"
#include "base/error.h"

namespace coffer::app {

/// One call of rclone's remote control: a method, which lives until the task ends, and its
/// parameters. Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(std::string_view method,
                                                                   boost::json::object parameters)>;

}  // namespace coffer::app
