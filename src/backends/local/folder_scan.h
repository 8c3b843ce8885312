#pragma once

#include <cstddef>
#include <memory>

namespace coffer::local {

/// Iterates over the items of an open folder, and reads many of them at a time (getdents64(2)). The
/// folder's descriptor must be open for reading. The caller closes it after the iteration.
class FolderScan {
 public:
  struct Entry {
    const char* name;    ///< Valid until the next call of `next`.
    unsigned char type;  ///< DT_REG, DT_DIR, …; DT_UNKNOWN if the file system reports no types.
  };

  explicit FolderScan(int folder);

  /// Returns the next item except `.` and `..`; null at the end or after a failure (see `error`).
  const Entry* next();
  /// Returns 0, or the errno of the failure that ended the scan early.
  int error() const { return error_; }

 private:
  bool fill();

  int folder_;
  int error_ = 0;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t filled_ = 0;
  std::size_t position_ = 0;
  Entry item_{};
};

}  // namespace coffer::local
