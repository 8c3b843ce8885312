#include "backends/local/attributes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/local/errno_error.h"
#include "backends/local/status.h"
#include "storage/backend.h"

namespace coffer::local {
namespace {

constexpr unsigned kMask = STATX_MODE | STATX_UID | STATX_GID;
constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;
constexpr std::size_t kMostAttributeBytes = 64 * 1024;
constexpr const char* kProperties = "user.coffer.dav";
constexpr const char* kLists[] = {"system.posix_acl_access", "system.nfs4_acl"};

/// Unlike the calls for descriptors, those for paths take an O_PATH one.
std::string path_of(int item) {
  return "/proc/self/fd/" + std::to_string(item);
}

/// `struct xattr_args` of getxattrat(2).
struct AttributeRequest {
  std::uint64_t value;
  std::uint32_t size;
  std::uint32_t flags;
};
constexpr long kGetAttributeAt = 464;  ///< The number of getxattrat(2), the same on all machines.

/// Reads an attribute of the item `name` in an open folder, not of what a link leads to, as
/// lgetxattr(2) does. Kernels from 6.13 on take less than half the time for it.
ssize_t attribute_in(int folder, const std::string& name, const char* attribute,
                     std::span<char> value) {
  static std::atomic<bool> is_known = true;
  if (is_known.load(std::memory_order_relaxed)) {
    AttributeRequest request{std::bit_cast<std::uintptr_t>(value.data()),
                             static_cast<std::uint32_t>(value.size()), 0};
    const long bytes = ::syscall(kGetAttributeAt, folder, name.c_str(), AT_SYMLINK_NOFOLLOW,
                                 attribute, &request, sizeof request);
    // Sandboxes refuse calls that they do not know.
    if (bytes >= 0 || (errno != ENOSYS && errno != EPERM)) return bytes;
    is_known.store(false, std::memory_order_relaxed);
  }
  const std::string path = path_of(folder) + '/' + name;
  return ::lgetxattr(path.c_str(), attribute, value.data(), value.size());
}

std::optional<std::string> attribute(int item, const char* name) {
  const std::string path = path_of(item);
  if (::getxattr(path.c_str(), name, nullptr, 0) < 0) return std::nullopt;
  std::string value(kMostAttributeBytes, '\0');
  const ssize_t bytes = ::getxattr(path.c_str(), name, value.data(), value.size());
  if (bytes < 0) return std::nullopt;
  value.resize(static_cast<std::size_t>(bytes));
  return value;
}

/// Returns false if the file keeps another one.
bool give_attribute(int file, const char* name, const std::optional<std::string>& value) {
  if (attribute(file, name) == value) return true;
  if (!value) return ::fremovexattr(file, name) == 0;
  return ::fsetxattr(file, name, value->data(), value->size(), 0) == 0;
}

/// Returns false if the file keeps another group.
bool give_owner(int file, const Status& owner) {
  const auto now = status_of(file, kMask);
  if (now && now->stx_uid == owner.stx_uid && now->stx_gid == owner.stx_gid) return true;
  if (::fchown(file, owner.stx_uid, owner.stx_gid) == 0) return true;
  return (now && now->stx_gid == owner.stx_gid) ||
         ::fchown(file, static_cast<uid_t>(-1), owner.stx_gid) == 0;
}

void give_users_attributes(int old, int file) {
  std::string names(kMostAttributeBytes, '\0');
  const ssize_t count = ::listxattr(path_of(old).c_str(), names.data(), names.size());
  std::size_t left = kMostAttributeBytes;
  for (ssize_t at = 0; at < count;) {
    const char* name = names.data() + at;
    at += static_cast<ssize_t>(std::strlen(name)) + 1;
    if (!std::string_view(name).starts_with("user.")) continue;
    const auto value = attribute(old, name);
    if (!value || value->size() > left) continue;
    left -= value->size();
    give_attribute(file, name, value);
  }
}

}  // namespace

void take_after(int old, int file) {
  const auto status = status_of(old, kMask);
  if (!status) return;
  // Before the mode, which may forbid it.
  give_users_attributes(old, file);
  bool is_same_group = give_owner(file, *status);
  for (const char* list : kLists) {
    const auto value = attribute(old, list);
    // With a list, the mode has its mask in the place of the group's rights.
    if (!give_attribute(file, list, value) && value) is_same_group = false;
  }
  mode_t mode = status->stx_mode & kPermissions;
  if (!is_same_group) mode = (mode & ~static_cast<mode_t>(S_IRWXG)) | ((mode & S_IRWXO) << 3);
  ::fchmod(file, mode);
}

std::string properties_of(int item) {
  std::array<char, storage::kMostPropertiesBytes> text;
  const ssize_t bytes = ::getxattr(path_of(item).c_str(), kProperties, text.data(), text.size());
  return bytes > 0 ? std::string(text.data(), static_cast<std::size_t>(bytes)) : std::string();
}

std::optional<std::string> properties_in(int folder, const std::string& name) {
  std::array<char, storage::kMostPropertiesBytes> text;
  const ssize_t bytes = attribute_in(folder, name, kProperties, text);
  if (bytes > 0) return std::string(text.data(), static_cast<std::size_t>(bytes));
  // A link has none of its own, which looks like an item without.
  if (::readlinkat(folder, name.c_str(), text.data(), 1) >= 0) return std::nullopt;
  return std::string();
}

Result<void> give_properties(int item, const std::string& text) {
  const std::string path = path_of(item);
  if (text.size() > storage::kMostPropertiesBytes) {
    return fail(ErrorCode::disk_full, "The item's properties are too long to keep.");
  }
  if (text.empty()) {
    if (::removexattr(path.c_str(), kProperties) == 0 || errno == ENODATA) return {};
  } else if (::setxattr(path.c_str(), kProperties, text.data(), text.size(), 0) == 0) {
    return {};
  }
  if (errno == EOPNOTSUPP) return fail(ErrorCode::refused, "Properties cannot be kept here.");
  // ext4 says so when the item's other attributes leave no room.
  if (errno == ENOSPC || errno == E2BIG || errno == ERANGE) {
    return fail(ErrorCode::disk_full, "The item's properties are too long to keep.");
  }
  return fail_with(errno);
}

Result<void> give_modified(int item, timespec time) {
  const timespec times[] = {{0, UTIME_OMIT}, time};
  if (::utimensat(AT_FDCWD, path_of(item).c_str(), times, 0) == 0) return {};
  return fail_with(errno);
}

void copy_properties(int from, int to) {
  // Most items have none, which this tells fast; it cannot be asked of a handle without rights.
  if (::fgetxattr(from, kProperties, nullptr, 0) < 0 && errno != EBADF) return;
  const std::string text = properties_of(from);
  if (!text.empty()) static_cast<void>(give_properties(to, text));
}

bool suit(int file, int sample) {
  const auto wanted = status_of(sample, kMask);
  const auto now = status_of(file, kMask);
  if (!wanted || !now) return false;
  constexpr auto kSame = static_cast<uid_t>(-1);
  if (now->stx_gid != wanted->stx_gid && ::fchown(file, kSame, wanted->stx_gid) != 0) return false;
  for (const char* list : kLists) {
    if (!give_attribute(file, list, attribute(sample, list))) return false;
  }
  const mode_t mode = wanted->stx_mode & kPermissions;
  return (now->stx_mode & kPermissions) == mode || ::fchmod(file, mode) == 0;
}

}  // namespace coffer::local
