#pragma once

#include "core/connectors/drive_settings.h"
#include "mounts/engine_call.h"

namespace coffer::mounts {

/// The parameters of a remote that is logged in to with the parameter `token`, after the dialogue
/// that rclone holds for its provider: each question is answered with what rclone proposes. What
/// was given stays, but for the token, which rclone may write in another way. Not all that comes
/// back need be allowed. `invalid` for a question without a proposal and for a dialogue without an
/// end; what the provider refuses is said in Coffer's own words.
Task<Result<core::DriveParameters>> log_in(const EngineCall& call, core::DriveSettings settings);

}  // namespace coffer::mounts
