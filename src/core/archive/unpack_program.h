#pragma once

#include <cstdint>

namespace coffer::core {

/// The name (`argv[0]`) of this program when the server starts it to unpack an archive.
inline constexpr const char* kUnpackProgram = "coffer-unpack";

/// The limit of the process's address space. The loaded libraries take about a quarter of it.
inline constexpr std::uint64_t kUnpackMemoryBytes = std::uint64_t{512} * 1024 * 1024;

/// Unpacks an archive for the server, with the protocol of unpack_frames.h on standard input and
/// output. First confines this process (see Confinement), with a limit of kUnpackMemoryBytes.
/// Returns the exit status of the process.
int unpack_for_server();

}  // namespace coffer::core
