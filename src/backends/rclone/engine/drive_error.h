#pragma once

#include <string_view>

#include "base/error.h"

namespace coffer::rclone {

/// What a failed call means, of rclone's HTTP status and its text, of which nothing is passed on:
/// it may hold addresses, names and secrets. `not_found` where rclone says that something is
/// missing.
Error error_of(unsigned status, std::string_view text);

/// What job/status tells of a job that failed.
inline Error error_of(std::string_view text) {
  return error_of(0, text);
}

/// True if another login might help.
bool is_login_refused(const Error& error);

}  // namespace coffer::rclone
