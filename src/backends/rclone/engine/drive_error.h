#pragma once

#include <string_view>

#include "base/error.h"

namespace coffer::rclone {

/// Maps the HTTP status and the error text of rclone's reply to an error. The error does not
/// contain the text, which may hold addresses, names and secrets. `not_found` if rclone reports
/// that an item is missing.
Error error_of(unsigned status, std::string_view text);

/// Maps the error text of a failed job, from `job/status`, to an error.
inline Error error_of(std::string_view text) {
  return error_of(0, text);
}

/// Returns true if the drive refused the login, so that a different token may help.
bool is_login_refused(const Error& error);

}  // namespace coffer::rclone
