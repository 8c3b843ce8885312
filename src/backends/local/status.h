#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "storage/entry.h"

namespace coffer::local {

/// What statx(2) knows of an item. The name of the file, never a link's target, unless the handle
/// was opened through one.
using Status = struct ::statx;

/// Everything that an Entry shows.
inline constexpr unsigned kEntryMask =
    STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_BTIME | STATX_INO;
/// What adding up needs.
inline constexpr unsigned kSizeMask = STATX_TYPE | STATX_SIZE;

/// Of the item that is open; the error is an errno.
std::expected<Status, int> status_of(int descriptor, unsigned mask);
/// Of the item `name` directly in the folder; a link is not followed.
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

/// The file system that an item is on.
inline std::pair<std::uint32_t, std::uint32_t> device_of(const Status& status) {
  return {status.stx_dev_major, status.stx_dev_minor};
}

/// The file's bytes; 0 for everything else.
inline std::uint64_t bytes_of(const Status& status) {
  return is_file(status) ? status.stx_size : 0;
}

/// The form that utimensat(2) takes.
timespec timespec_of(Timestamp time);

storage::Entry entry_of(const Status& status, std::string name);

}  // namespace coffer::local
