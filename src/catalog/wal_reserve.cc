#include "catalog/wal_reserve.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/log.h"

namespace coffer::catalog {
namespace {

/// Twice what the log holds when SQLite writes it to the database.
constexpr off_t kReserveBytes = 8 << 20;
constexpr std::chrono::seconds kBetweenTries{1};

/// The errno, or 0. SQLite has no locks on this file, which closing it would drop.
int reserve(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, kReserveBytes) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

void WalReserve::take() {
  if (is_taken_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (is_taken_ || now < next_try_) return;
  next_try_ = now + kBetweenTries;
  is_taken_ = try_to_take();
}

bool WalReserve::try_to_take() {
  const int error = reserve(log_file_);
  if (error == 0) {
    if (has_failed_) spdlog::info("room for the catalog is kept back again");
    return true;
  }
  if (!has_failed_) {
    spdlog::warn("no room can be kept back for the catalog, which a full disk would stop: {}",
                 std::generic_category().message(error));
  }
  has_failed_ = true;
  return error == EOPNOTSUPP;  // It will not do better later.
}

}  // namespace coffer::catalog
