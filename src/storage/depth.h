#pragma once

#include <cstddef>

#include "base/error.h"

namespace coffer::storage {

/// The depth to which folders can be made, counted from the root of a backend: as deep as archives
/// and walks on remote servers go, so that nothing is made that cannot be packed, copied or
/// removed. Trees of other programs may be deeper.
inline constexpr std::size_t kDeepestFolder = 200;

/// `invalid` if a folder at `depth` would be too deep.
inline Result<void> check_depth(std::size_t depth) {
  if (depth <= kDeepestFolder) return {};
  return fail(ErrorCode::invalid, "Folders may lie at most 200 deep.");
}

}  // namespace coffer::storage
