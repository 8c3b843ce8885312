#pragma once

#include <cstdint>

namespace coffer::core {

/// This program's name when a server starts it to unpack an archive.
inline constexpr const char* kUnpackProgram = "coffer-unpack";

/// The limit of the address space; libarchive with its libraries takes about a quarter.
inline constexpr std::uint64_t kUnpackMemoryBytes = std::uint64_t{512} * 1024 * 1024;

/// Unpacks an archive over standard input and output by the protocol of unpack_frames.h. Confines
/// the process first: it can open no file and has limited memory. Returns the process's exit
/// status.
int unpack_for_server();

}  // namespace coffer::core
