#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/error.h"

namespace coffer::rclone {

/// A file without a name, for content whose size is not known before it has come. It is gone with
/// this object, or with the program. Blocking; not for two threads at once.
class Spool {
 public:
  /// `failed` if the folder takes no file.
  static Result<std::shared_ptr<Spool>> open(const std::filesystem::path& folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Appends. `failed` when the disk is full or broken.
  Result<void> write(std::span<const std::byte> data);
  std::uint64_t size_bytes() const { return size_bytes_; }
  int descriptor() const { return descriptor_; }

 private:
  explicit Spool(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace coffer::rclone
