#include "backends/local/file_systems.h"

#include <linux/magic.h>
#include <mntent.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "backends/local/handle.h"

namespace coffer::local {
namespace {

struct KernelFileSystem {
  std::uint32_t magic;
  std::string_view kind;
};

// The second half is missing in linux/magic.h.
constexpr KernelFileSystem kKernelFileSystems[] = {
    {PROC_SUPER_MAGIC, "proc"},      {SYSFS_MAGIC, "sysfs"},
    {CGROUP_SUPER_MAGIC, "cgroup"},  {CGROUP2_SUPER_MAGIC, "cgroup2"},
    {DEVPTS_SUPER_MAGIC, "devpts"},  {DEBUGFS_MAGIC, "debugfs"},
    {TRACEFS_MAGIC, "tracefs"},      {SECURITYFS_MAGIC, "securityfs"},
    {SELINUX_MAGIC, "selinuxfs"},    {SMACK_MAGIC, "smackfs"},
    {BPF_FS_MAGIC, "bpf"},           {PSTOREFS_MAGIC, "pstore"},
    {EFIVARFS_MAGIC, "efivarfs"},    {NSFS_MAGIC, "nsfs"},
    {BINFMTFS_MAGIC, "binfmt_misc"}, {RDTGROUP_SUPER_MAGIC, "resctrl"},
    {HUGETLBFS_MAGIC, "hugetlbfs"},  {0x62656570, "configfs"},
    {0x65735543, "fusectl"},         {0x19800202, "mqueue"},
    {0x67596969, "rpc_pipefs"},      {0x6e667364, "nfsd"},
};

/// The devices have the type of a file system in memory, or are one: they are known by being /dev.
bool is_of_devices(int folder) {
  struct stat status{};
  struct stat devices{};
  struct stat root{};
  if (::fstat(folder, &status) != 0 || ::stat("/dev", &devices) != 0 || ::stat("/", &root) != 0)
    return false;
  return status.st_dev == devices.st_dev && devices.st_dev != root.st_dev;
}

}  // namespace

bool has_mounts_below(int folder) {
  const auto path = fd_path(folder);
  const std::unique_ptr<FILE, decltype(&::endmntent)> mounts(::setmntent("/proc/self/mounts", "re"),
                                                             ::endmntent);
  if (!path || !mounts) return false;
  std::array<char, 4 * PATH_MAX> line{};
  struct mntent mount{};
  while (::getmntent_r(mounts.get(), &mount, line.data(), int{line.size()}) != nullptr) {
    const std::string_view point = mount.mnt_dir;
    if (point != *path && is_at_or_beneath(point, *path)) return true;
  }
  return false;
}

std::string_view kernel_folder_kind(int folder) {
  struct statfs disk{};
  // Others are mounted in these, such as one in memory for control groups.
  const std::string path = fd_path(folder).value_or("");
  if (is_at_or_beneath(path, "/proc")) return "proc";
  if (is_at_or_beneath(path, "/sys")) return "sysfs";
  if (::fstatfs(folder, &disk) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(disk.f_type);
  for (const KernelFileSystem& known : kKernelFileSystems) {
    if (known.magic == magic) return known.kind;
  }
  return is_of_devices(folder) ? "devtmpfs" : std::string_view();
}

bool keeps_times(int folder) {
  struct ::statfs system{};
  if (::fstatfs(folder, &system) != 0) return false;
  constexpr long kXfs = 0x58465342;
  constexpr long kZfs = 0x2fc12fc1;
  switch (system.f_type) {
    case EXT4_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case kXfs:
    case kZfs:
      return true;
    default:
      return false;
  }
}

bool may_have_short_names(int folder) {
  return !keeps_times(folder);
}

bool keeps_inode_numbers(int folder) {
  struct ::statfs system{};
  if (::fstatfs(folder, &system) != 0) return false;
  constexpr std::uint32_t kExfat = 0x2011bab0;
  const auto magic = static_cast<std::uint32_t>(system.f_type);
  return magic != FUSE_SUPER_MAGIC && magic != MSDOS_SUPER_MAGIC && magic != kExfat;
}

std::optional<std::uint64_t> capacity_of(int folder) {
  struct statfs disk{};
  if (::fstatfs(folder, &disk) != 0 || disk.f_blocks == 0) return std::nullopt;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(disk.f_blocks, disk.f_frsize, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace coffer::local
