#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/error.h"

namespace coffer::rclone {

/// A file without a name, for content whose size is not known before it has come. It is gone with
/// this object, or with the program. What is large passes through memory, which is for what is used
/// more than once. Blocking; not for two threads at once.
class Spool {
 public:
  /// `failed` if the folder takes no file.
  static Result<std::shared_ptr<Spool>> open(const std::filesystem::path& folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Appends. `failed` when the disk is full or broken; what is in it is then not to be used.
  Result<void> write(std::span<const std::byte> data);
  std::uint64_t size_bytes() const { return size_bytes_; }
  int descriptor() const { return descriptor_; }
  /// To be said by who reads from the beginning, for what comes next and what has been read.
  /// `ahead_bytes`, 0 at first, is how far that was asked for.
  void read_on(std::uint64_t& ahead_bytes, std::uint64_t offset) const;

 private:
  explicit Spool(int descriptor) : descriptor_(descriptor) {}
  int let_go();

  int descriptor_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t begun_bytes_ = 0;  ///< Whose way to the disk has begun.
};

}  // namespace coffer::rclone
