#pragma once

#include <string_view>

#include "base/error.h"

namespace coffer::rclone {

/// Returns the error for a failure that rclone reports with an HTTP status and an error text.
/// `not_found` if rclone reports that an item is missing. The error does not contain the text,
/// which may hold addresses, names and secrets.
Error error_of(unsigned status, std::string_view text);

/// Returns the error for a failed job, from the error text in rclone's reply to `job/status`.
inline Error error_of(std::string_view text) {
  return error_of(0, text);
}

/// Returns true if `error` says that the drive refused the login: another token may help.
bool is_login_refused(const Error& error);

}  // namespace coffer::rclone
