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

/// Calls a method of rclone's remote control (https://rclone.org/rc/): POSTs a JSON object, and
/// returns the JSON object of the response. Asio's cancellation of the call also stops rclone's
/// work.
/// - `timed_out` after `limit`.
/// - kEngineLost or kNeverReached (rclone_instance.h) if the engine ends or does not listen.
/// - `unavailable` if the response is not a JSON object.
/// - Otherwise the error that error_of makes of rclone's error.
Task<Result<boost::json::object>> call(RcloneInstance run, std::string_view method,
                                       boost::json::object parameters,
                                       std::chrono::steady_clock::duration limit);

/// Receives a piece of the JSON text of a response. If it fails, the call ends with its error.
using TextSink = std::function<Result<void>(std::string_view)>;
/// Calls a method as `call` does, but passes the text of the response to `sink`, piece by piece as
/// it arrives. `limit` is the time for each piece.
Task<Result<void>> call_for_text(RcloneInstance run, std::string_view method,
                                 boost::json::object parameters, TextSink sink,
                                 std::chrono::steady_clock::duration limit);

}  // namespace coffer::rclone
