#pragma once

#include <cstdint>
#include <functional>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/names.h"

namespace coffer::moving {

/// Returns the error of a move that was asked to stop.
std::unexpected<Error> move_stopped();

/// The two ends of a copy, and when to stop.
struct CopyEnds {
  storage::Backend& source;
  storage::Backend& target;
  std::function<bool()> must_stop;
};

/// A file, and its copy.
struct CheckedCopy {
  storage::Entry source;
  storage::Entry copy;
};

/// Copies a file, with its times as far as the target can set them, to another name. Then reads the
/// copy back and compares its SHA-256 (FIPS 180-4) with that of what was read from the source.
/// Copies again if the file changes meanwhile. Calls `counted` with the number of bytes of each
/// block that is copied, and with the negative sum if they are copied again. After a failure a copy
/// may stay. Errors: those of the backends; `conflict` when it must stop, or if the file changes
/// without end; `failed` if the copy differs.
Task<Result<CheckedCopy>> copy_checked(CopyEnds ends, Path file, Path copy,
                                       std::function<void(std::int64_t bytes)> counted);

/// Returns true if a file of a disk has the content of a file in a store of objects. Reads only the
/// disk, and compares with the hashes in the catalog.
Task<Result<bool>> has_content(storage::Backend& disk, storage::Names& names,
                               storage::NameTreeId tree, Path file,
                               std::function<bool()> must_stop);

}  // namespace coffer::moving
