#pragma once

#include <expected>

#include "base/error.h"

namespace coffer::local {

/// What a failed system call means to the caller of a backend. The one place that maps errno; the
/// message names no path of the server.
Error errno_error(int code);

/// The same, where something was to be made: a name that is too long is the request's fault then.
Error creation_error(int code);

inline std::unexpected<Error> fail_with(int code) {
  return std::unexpected(errno_error(code));
}

}  // namespace coffer::local
