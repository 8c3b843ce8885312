#pragma once

#include <cstddef>

namespace coffer::sftp {

/// What may be kept in memory of what a server tells: so many items, and so many bytes in all.
class Budget {
 public:
  Budget(std::size_t items, std::size_t bytes) : items_(items), bytes_(bytes) {}

  /// Counts an item of that many bytes; false if it is one too many.
  bool take(std::size_t bytes) {
    if (items_ == 0 || bytes > bytes_) return false;
    --items_;
    bytes_ -= bytes;
    return true;
  }

 private:
  std::size_t items_;
  std::size_t bytes_;
};

}  // namespace coffer::sftp
