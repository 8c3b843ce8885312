#pragma once

#include <string>

#include "backends/local/handle.h"
#include "base/error.h"

namespace coffer::mounts {

/// The mark of a shared folder: a hidden file at its top, by which servers that share a catalog see
/// that they have the same folder and not only one with the same path.
struct ShareMark {
  std::string text;  ///< 32 hexadecimal digits.
  bool is_new = false;
};

/// Returns the folder's mark, and makes it if there is none. `unavailable` if it can neither be
/// read nor made. `folder` is open for reading.
Result<ShareMark> mark_of(const local::Handle& folder);
/// Removes a mark that `mark_of` has just made.
void remove_mark(const local::Handle& folder);

}  // namespace coffer::mounts
