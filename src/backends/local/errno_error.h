#pragma once

#include <expected>

#include "base/error.h"

namespace coffer::local {

/// Returns the error that a backend reports for a failed system call. `code` is an errno. The
/// message contains no path of the server.
Error errno_error(int code);

/// Returns the error for a failed system call that creates an item: `invalid` if the item's name is
/// too long or not allowed, otherwise the error of errno_error.
Error creation_error(int code);

inline std::unexpected<Error> fail_with(int code) {
  return std::unexpected(errno_error(code));
}

}  // namespace coffer::local
