#pragma once

#include <string_view>

#include "base/error.h"

namespace coffer::rclone {

/// Maps rclone's HTTP status and text to an error. The text is not passed on: it may hold
/// addresses, names and secrets. `not_found` if rclone says that something is missing.
Error error_of(unsigned status, std::string_view text);

/// Maps the text of job/status for a job that failed.
inline Error error_of(std::string_view text) {
  return error_of(0, text);
}

/// True if another login might help.
bool is_login_refused(const Error& error);

}  // namespace coffer::rclone
