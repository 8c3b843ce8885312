#pragma once

#include <fcntl.h>

#include <compare>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <tuple>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "backends/local/status.h"

namespace coffer::local {

/// What tells a folder from another one that stands at its path later.
struct RootIdentity {
  std::uint64_t inode = 0;
  timespec born = {};  ///< Zero where the file system does not tell.

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

/// Empty, and errno says why, if there is none.
inline Handle open_top(const std::filesystem::path& folder) {
  return Handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

inline bool is_same_item(int one, int other) {
  const auto first = status_of(one, STATX_INO);
  const auto second = status_of(other, STATX_INO);
  return first && second && first->stx_ino == second->stx_ino &&
         first->stx_dev_major == second->stx_dev_major &&
         first->stx_dev_minor == second->stx_dev_minor;
}

inline bool is_same_disk(int folder, int other) {
  const auto one = status_of(folder, STATX_INO);
  const auto two = status_of(other, STATX_INO);
  return one && two && device_of(*one) == device_of(*two);
}

/// The open top folder of a backend.
struct Root {
  Handle folder;
  RootIdentity identity;
  std::pair<std::uint32_t, std::uint32_t> device;

  int get() const { return folder.get(); }
};

inline Result<Root> root_of(Handle folder) {
  const auto status = status_of(folder.get(), STATX_INO | STATX_BTIME);
  if (!status) return fail_with(status.error());
  return Root{std::move(folder), identity_of(*status), device_of(*status)};
}

}  // namespace coffer::local
