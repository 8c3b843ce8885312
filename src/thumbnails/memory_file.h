#pragma once

#include <cstddef>
#include <span>

namespace coffer::thumbnails {

/// A file without a name, in memory alone (memfd_create(2)), for a program to read.
class MemoryFile {
 public:
  /// Throws std::system_error where the machine has no descriptor left.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// At its end; false where memory is short.
  bool append(std::span<const std::byte> bytes);
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

}  // namespace coffer::thumbnails
