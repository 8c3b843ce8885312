#pragma once

namespace coffer::app {

/// Gives memory that was freed back to the system, if it is much. The allocator keeps it where
/// something above it is in use: after a crowd of connections, half a gigabyte, for good. Safe from
/// any thread; others wait for their memory meanwhile, some milliseconds for each 100 MiB.
void return_freed_memory();

}  // namespace coffer::app
