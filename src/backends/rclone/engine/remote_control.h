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
/// returns the JSON object of the response. If the call is cancelled through Asio, rclone stops the
/// work too. Errors:
/// - `timed_out` if there is no response within `limit`.
/// - kEngineLost or kNeverReached (rclone_instance.h) if the engine ends or does not listen.
/// - `unavailable` if the response is not a JSON object.
/// - If rclone reports an error, the error that error_of (drive_error.h) returns for it.
Task<Result<boost::json::object>> call(RcloneInstance run, std::string_view method,
                                       boost::json::object parameters,
                                       std::chrono::steady_clock::duration limit);

/// A function that receives a piece of a response's JSON text. If it fails, the call stops and
/// fails with the function's error.
using TextSink = std::function<Result<void>(std::string_view)>;
/// Calls a method as `call` does, but passes the text of the response to `sink`, piece by piece as
/// it arrives. `limit` is the longest wait for each piece.
Task<Result<void>> call_for_text(RcloneInstance run, std::string_view method,
                                 boost::json::object parameters, TextSink sink,
                                 std::chrono::steady_clock::duration limit);

}  // namespace coffer::rclone
