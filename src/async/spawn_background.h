#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <exception>

#include "async/task.h"

namespace coffer {

/// Runs a task without waiting for it; it is dropped unfinished with what its executor is of.
/// An exception that leaves it is logged; it ends nothing else. What can be joined belongs in a
/// TaskGroup.
void spawn_background(const asio::any_io_executor& executor, Task<void> task);

/// Logs an exception that left a task in the background; nothing for null.
void log_broken_task(const std::exception_ptr& thrown);

}  // namespace coffer
