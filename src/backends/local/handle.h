#pragma once

#include <linux/openat2.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
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

/// An open handle, or the errno of the failure.
using Opened = std::expected<Handle, int>;

/// Opens an item beneath `folder`. The kernel ensures that no item outside `folder` is opened
/// (openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS). An empty `path` opens the folder
/// itself. `flags` are those of open(2); O_CLOEXEC is added. `resolve` are further RESOLVE_ flags.
/// A path of PATH_MAX bytes or more is opened piece by piece. A symbolic link in it must not lead
/// out of the folder in which the link's own piece begins. Errors:
/// - EXDEV if a symbolic link leads out of `folder`.
/// - EAGAIN if RESOLVE_CACHED is given and the lookup would block.
Opened open_beneath(int folder, const std::string& path, std::uint64_t flags,
                    std::uint64_t resolve = 0);

/// RESOLVE_ flags for an item that must be where its path says, and not behind a link or a mount.
inline constexpr std::uint64_t kInPlace = RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;

/// Opens a folder by its whole path. `flags` are those of open(2), to which O_DIRECTORY and
/// O_CLOEXEC are added; `resolve` are flags of openat2(2). On failure, returns an empty handle and
/// sets errno, to ELOOP if RESOLVE_NO_SYMLINKS is given and a symbolic link is in the path.
Handle open_whole(const std::filesystem::path& path, std::uint64_t flags, std::uint64_t resolve);

/// Reads up to `out.size()` bytes from `offset`, as pread(2) does.
Result<std::size_t> read_from(const Handle& file, std::uint64_t offset, std::span<std::byte> out);

/// Returns the current path of an open folder (proc(5), /proc/self/fd).
Result<std::string> fd_path(int folder);

/// Returns the path of the item `name` in the open folder `folder`, relative to the open folder
/// `top` and without symbolic links. `not_found` if `folder` is neither `top` nor beneath it.
Result<std::string> path_from(int top, int folder, std::string_view name);

bool is_at_or_beneath(std::string_view path, std::string_view top);

/// Opens a folder for reading. On failure, returns an empty handle and sets errno.
Handle open_top(const std::filesystem::path& folder);

}  // namespace coffer::local
