#pragma once

#include <cstdint>

namespace coffer::core {

/// This program's name where it unpacks an archive for a server that has started it.
inline constexpr const char* kUnpackProgram = "coffer-unpack";

/// Of addresses; libarchive with its libraries takes about a quarter of them.
inline constexpr std::uint64_t kUnpackMemoryBytes = std::uint64_t{512} * 1024 * 1024;

/// Unpacks the archive that standard input gives the bytes of to standard output, as the frames of
/// unpack_frames.h say, in a process that is confined first: it opens no file, and has a bounded
/// share of memory. The process' exit status.
int unpack_for_server();

}  // namespace coffer::core
