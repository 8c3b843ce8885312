#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>
#include <ctime>
#include <expected>
#include <string>
#include <tuple>
#include <utility>

#include "storage/entry.h"

namespace coffer::local {

using Status = struct ::statx;

/// The fields of statx(2) that storage::Entry needs.
inline constexpr unsigned kEntryMask =
    STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_BTIME | STATX_INO;
/// The fields of statx(2) that storage::TreeSize needs.
inline constexpr unsigned kSizeMask = STATX_TYPE | STATX_SIZE;

/// Returns the status of an open item, or an errno. `mask` selects its fields, as in statx(2).
std::expected<Status, int> status_of(int descriptor, unsigned mask);
/// Returns the status of the item `name` in a folder, or an errno. Does not follow symbolic links.
std::expected<Status, int> status_in(int folder, const char* name, unsigned mask);

inline bool is_folder(const Status& status) {
  return S_ISDIR(status.stx_mode);
}
inline bool is_file(const Status& status) {
  return S_ISREG(status.stx_mode);
}
inline bool is_link(const Status& status) {
  return S_ISLNK(status.stx_mode);
}

inline std::pair<std::uint32_t, std::uint32_t> device_of(const Status& status) {
  return {status.stx_dev_major, status.stx_dev_minor};
}

/// Returns the size of a file in bytes; 0 for any other item.
inline std::uint64_t bytes_of(const Status& status) {
  return is_file(status) ? status.stx_size : 0;
}

/// Tells an item from all others of this machine that exist now. The top folders of many disks have
/// the same inode number.
struct ItemNumber {
  std::pair<std::uint32_t, std::uint32_t> device;
  std::uint64_t inode = 0;

  bool operator==(const ItemNumber&) const = default;
};

inline ItemNumber number_of(const Status& status) {
  return {device_of(status), status.stx_ino};
}

inline bool is_same_item(int one, int other) {
  const auto first = status_of(one, STATX_INO);
  const auto second = status_of(other, STATX_INO);
  return first && second && number_of(*first) == number_of(*second);
}

inline bool is_same_disk(int folder, int other) {
  const auto one = status_of(folder, STATX_INO);
  const auto two = status_of(other, STATX_INO);
  return one && two && device_of(*one) == device_of(*two);
}

/// Identifies a root folder. A folder that takes its path later has another identity.
struct RootIdentity {
  std::uint64_t inode = 0;
  timespec born = {};  ///< The time of creation; zero if it is not known.

  bool operator==(const RootIdentity& other) const { return (*this <=> other) == 0; }
  std::strong_ordering operator<=>(const RootIdentity& other) const {
    return std::tie(inode, born.tv_sec, born.tv_nsec) <=>
           std::tie(other.inode, other.born.tv_sec, other.born.tv_nsec);
  }
};

inline RootIdentity identity_of(const Status& status) {
  const bool is_known = (status.stx_mask & STATX_BTIME) != 0;
  if (!is_known) return {status.stx_ino, {}};
  return {status.stx_ino, {status.stx_btime.tv_sec, status.stx_btime.tv_nsec}};
}

timespec timespec_of(Timestamp time);

/// Sets the modification time of an open item. Ignores failures: a disk that cannot keep the time
/// must not keep the content out.
void set_modified(int item, timespec time);

storage::Entry entry_of(const Status& status, std::string name);

}  // namespace coffer::local
