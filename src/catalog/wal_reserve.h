#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace coffer::catalog {

/// Room on the disk for SQLite's write-ahead log, taken before it is needed, so that what frees
/// room can be written down while the disk is full. The log starts anew within it whenever its
/// content went to the database, which happens at half of it (`wal_autocheckpoint`). Safe from any
/// thread.
class WalReserve {
 public:
  /// `database_file` is the catalog's; its log must exist.
  explicit WalReserve(const std::string& database_file) : log_file_(database_file + "-wal") {}

  /// Takes the room if it is not taken yet, at most once a second; says so in the log where there
  /// is none, and when there is again.
  void take();

 private:
  bool try_to_take();

  const std::string log_file_;
  std::atomic<bool> is_taken_ = false;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_try_;
  bool has_failed_ = false;
};

}  // namespace coffer::catalog
