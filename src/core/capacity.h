#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"
#include "storage/backend.h"

namespace coffer::core {

/// `disk_full` if the whole file system of the backend could not hold so much, were it empty.
Task<Result<void>> check_capacity(storage::Backend& backend, std::uint64_t bytes);

}  // namespace coffer::core
