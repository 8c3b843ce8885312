#pragma once

#include <cstdint>

#include "storage/entry.h"

namespace coffer::storage {

/// The state of a file, by which those who saw it know whether it is still that one.
struct FileVersion {
  std::uint64_t size_bytes = 0;
  Timestamp modified_at{};    ///< As fine as the backend keeps it.
  std::uint64_t file_id = 0;  ///< As Entry has it.

  bool operator==(const FileVersion&) const = default;
};

inline FileVersion version_of(const Entry& entry) {
  return {entry.size_bytes, entry.modified_at, entry.file_id};
}

}  // namespace coffer::storage
