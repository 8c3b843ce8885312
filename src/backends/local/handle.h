#pragma once

#include <unistd.h>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace coffer::local {

/// Owns a file descriptor.
class Handle {
 public:
  Handle() = default;
  explicit Handle(int descriptor) : descriptor_(descriptor) {}
  Handle(Handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Handle() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

/// A handle, or an errno.
using Opened = std::expected<Handle, int>;

/// Opens an item beneath `folder` and never one outside: the kernel ensures it (openat2(2) with
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS). An empty `path` is the folder itself. `flags` are
/// those of open(2), O_CLOEXEC is added; `resolve` adds restrictions, such as RESOLVE_CACHED.
/// A path longer than PATH_MAX is opened in pieces; a link in it must stay beneath its piece.
/// EXDEV: a link leaves `folder`. EAGAIN: a cached look-up would block.
Opened open_beneath(int folder, const std::string& path, std::uint64_t flags,
                    std::uint64_t resolve = 0);

/// An O_PATH handle of a folder, following links. `resolve` as of openat2(2). Empty with errno if
/// it failed.
Handle open_whole(const std::filesystem::path& path, std::uint64_t resolve);

/// A folder's path without links; nullopt if finding it would wait for a disk.
std::optional<std::string> resolve_now(const std::filesystem::path& path);

/// The present path of an open folder (proc(5), /proc/self/fd).
Result<std::string> fd_path(int folder);

/// The path of a name in an open folder, without links, from the open folder `top` on. `not_found`
/// if the folder is not beneath it (any more).
Result<std::string> path_from(int top, int folder, std::string_view name);

/// True if `path` is `top` or beneath it.
bool is_at_or_beneath(std::string_view path, std::string_view top);

/// A folder opened for reading. Empty with errno if it failed.
Handle open_top(const std::filesystem::path& folder);

}  // namespace coffer::local
