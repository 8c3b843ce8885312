#include "backends/local/status.h"

#include <fcntl.h>

#include <cerrno>
#include <chrono>

namespace coffer::local {
namespace {

Timestamp time_of(const statx_timestamp& time) {
  return timestamp_of(time.tv_sec, time.tv_nsec);
}

}  // namespace

std::expected<Status, int> status_of(int descriptor, unsigned mask) {
  Status status;
  if (::statx(descriptor, "", AT_EMPTY_PATH, mask, &status) != 0) {
    return std::unexpected(errno);
  }
  return status;
}

std::expected<Status, int> status_in(int folder, const char* name, unsigned mask) {
  Status status;
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (::statx(folder, name, kFlags, mask, &status) != 0) return std::unexpected(errno);
  return status;
}

timespec timespec_of(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  timespec result{};
  result.tv_sec = static_cast<time_t>(seconds.time_since_epoch().count());
  result.tv_nsec = static_cast<long>((time - seconds).count());
  return result;
}

void set_modified(int item, timespec time) {
  const timespec times[2] = {{0, UTIME_OMIT}, time};
  ::futimens(item, times);
}

storage::Entry entry_of(const Status& status, std::string name) {
  storage::Entry entry;
  entry.name = std::move(name);
  entry.is_directory = is_folder(status);
  entry.size_bytes = bytes_of(status);
  entry.modified_at = time_of(status.stx_mtime);
  entry.knows_birth = (status.stx_mask & STATX_BTIME) != 0;
  entry.created_at = entry.knows_birth ? time_of(status.stx_btime) : entry.modified_at;
  entry.file_id = status.stx_ino;
  return entry;
}

}  // namespace coffer::local
