#pragma once

#include "base/error.h"

namespace coffer {

/// `over_quota` in the words that clients know it by, wherever it was found that bytes do not fit.
inline std::unexpected<Error> fail_over_quota() {
  return fail(ErrorCode::over_quota, "The storage quota is exceeded.");
}

}  // namespace coffer
