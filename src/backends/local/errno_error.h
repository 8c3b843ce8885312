#pragma once

#include <expected>

#include "base/error.h"

namespace coffer::local {

/// The error of a failed system call, for the caller of a backend. Maps errno for all of the layer;
/// the message names no path of the server.
Error errno_error(int code);

/// The same for a call that makes an item: a name that is too long is then the request's fault.
Error creation_error(int code);

/// The same for a rename.
Error move_error(int code);

inline std::unexpected<Error> fail_with(int code) {
  return std::unexpected(errno_error(code));
}

}  // namespace coffer::local
