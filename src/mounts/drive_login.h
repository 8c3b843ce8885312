#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "core/connectors/connector_settings.h"

namespace coffer::mounts {

/// One call of the remote control of the rclone that serves such drives: a method, which lives
/// until the task ends, and its parameters. Safe from any thread.
using EngineCall = std::function<Task<Result<boost::json::object>>(
    bool may_be_private, std::string_view method, boost::json::object parameters)>;

/// The parameters of a remote that is logged in to with the parameter `token`, after the dialogue
/// that rclone holds for its provider: each question is answered with what rclone proposes. What
/// was given stays, but for the token, which rclone may write in another way. Not all that comes
/// back need be allowed. `invalid` for a question without a proposal and for a dialogue without an
/// end; what the provider refuses is said in Coffer's own words.
Task<Result<core::DriveParameters>> log_in(const EngineCall& call,
                                           core::ConnectorSettings settings);

}  // namespace coffer::mounts
