#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "backends/objects/blobs.h"
#include "storage/names.h"

namespace coffer::objects {

/// Takes removed folders apart, and removes objects that have been garbage for longer than `grace`
/// from their store. Returns the number of objects. What the store refuses to remove waits, and
/// holds up nothing else. A failure of one of these steps ends it, and the steps behind it are
/// tried nevertheless; the first failure is returned, and others are logged. Ends early when
/// `is_ending`, if it is set, returns true; the next call goes on. Several processes may call it at
/// once. `grace` must be longer than a reader may still read a file that is gone, and than the age
/// of the oldest backup of the names that may be restored.
Task<Result<std::size_t>> remove_garbage(storage::Names& names, Blobs& blobs,
                                         std::chrono::seconds grace,
                                         std::function<bool()> is_ending = {});

}  // namespace coffer::objects
