#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "base/error.h"

namespace coffer::rclone {

/// One call of rclone's remote control (https://rclone.org/rc/): POST with a JSON object, which is
/// answered with one. Fails with what error_of says, `timed_out` after `limit`, `unavailable` with
/// kEngineLost (rclone_instance.h) when the engine ends meanwhile. Cancelled as Asio's operations
/// are; rclone then stops what it does for the call.
Task<Result<boost::json::object>> call(RcloneInstance run, std::string_view method,
                                       boost::json::object parameters,
                                       std::chrono::steady_clock::duration limit);

/// Takes a piece of an answer's JSON text. Its failure ends the call.
using TextSink = std::function<Result<void>(std::string_view)>;
/// The same for long answers, piece by piece as they come; `limit` is for each piece.
Task<Result<void>> call_for_text(RcloneInstance run, std::string_view method,
                                 boost::json::object parameters, TextSink sink,
                                 std::chrono::steady_clock::duration limit);

}  // namespace coffer::rclone
