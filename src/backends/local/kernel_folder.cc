#include "backends/local/kernel_folder.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cstdint>

#include "backends/local/fd_path.h"

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
bool is_of_devices(const char* folder) {
  struct stat status{};
  struct stat devices{};
  struct stat root{};
  if (::stat(folder, &status) != 0 || ::stat("/dev", &devices) != 0 || ::stat("/", &root) != 0)
    return false;
  return status.st_dev == devices.st_dev && devices.st_dev != root.st_dev;
}

}  // namespace

std::string_view kernel_folder_kind(const std::filesystem::path& folder) {
  struct statfs disk{};
  // Others are mounted in these, such as one in memory for control groups.
  if (is_at_or_beneath(folder.native(), "/proc")) return "proc";
  if (is_at_or_beneath(folder.native(), "/sys")) return "sysfs";
  if (::statfs(folder.c_str(), &disk) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(disk.f_type);
  for (const KernelFileSystem& known : kKernelFileSystems) {
    if (known.magic == magic) return known.kind;
  }
  return is_of_devices(folder.c_str()) ? "devtmpfs" : std::string_view();
}

}  // namespace coffer::local
