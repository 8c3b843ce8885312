#include "confinement/confinement.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace coffer::confinement {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr rlim_t kMostDescriptors = 64;

constexpr std::uint64_t kReading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// All of Landlock's first version: what is handled and not allowed is refused.
constexpr std::uint64_t kHandled = (std::uint64_t{LANDLOCK_ACCESS_FS_MAKE_SYM} << 1) - 1;
constexpr std::array kReadable = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache"};

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

constexpr sock_filter give(std::uint32_t answer) {
  return BPF_STMT(BPF_RET | BPF_K, answer);
}

/// Calls by which a process reaches others, the network or parts of the kernel that no such program
/// needs.
constexpr std::array<std::uint32_t, 24> kRefused = {SYS_socket,
                                                    SYS_socketpair,
                                                    SYS_connect,
                                                    SYS_bind,
                                                    SYS_ptrace,
                                                    SYS_process_vm_readv,
                                                    SYS_process_vm_writev,
                                                    SYS_kill,
                                                    SYS_tgkill,
                                                    SYS_pidfd_open,
                                                    SYS_mount,
                                                    SYS_unshare,
                                                    SYS_setns,
                                                    SYS_bpf,
                                                    SYS_perf_event_open,
                                                    SYS_userfaultfd,
                                                    SYS_keyctl,
                                                    SYS_add_key,
                                                    SYS_io_uring_setup,
                                                    SYS_open_by_handle_at,
                                                    SYS_chroot,
                                                    SYS_pivot_root,
                                                    SYS_init_module,
                                                    SYS_finit_module};

/// An array that the kernel reads: the architecture, then each refused call, then all others.
constexpr auto make_filter() {
  std::array<sock_filter, 6 + 2 * kRefused.size() + 1> filter{};
  std::size_t at = 0;
  filter.at(at++) = load(offsetof(seccomp_data, arch));
  filter.at(at++) = sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  filter.at(at++) = give(SECCOMP_RET_KILL_PROCESS);
  filter.at(at++) = load(offsetof(seccomp_data, nr));
  // The numbers from here on are the same calls in another form (x32).
  filter.at(at++) = sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  filter.at(at++) = give(SECCOMP_RET_KILL_PROCESS);
  for (const std::uint32_t call : kRefused) {
    filter.at(at++) = sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    filter.at(at++) = give(SECCOMP_RET_ERRNO | EPERM);
  }
  filter.at(at++) = give(SECCOMP_RET_ALLOW);
  return filter;
}

constexpr auto kFilter = make_filter();

bool limit(__rlimit_resource resource, rlim_t most) {
  const rlimit limits{most, most};
  return ::setrlimit(resource, &limits) == 0;
}

bool set_limits(const Bounds& bounds) {
  return (bounds.memory_bytes == 0 || limit(RLIMIT_AS, bounds.memory_bytes)) &&
         (bounds.seconds == 0 || limit(RLIMIT_CPU, bounds.seconds)) &&
         limit(RLIMIT_NOFILE, kMostDescriptors) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0);
}

bool filter_calls() {
  const sock_fprog program{.len = kFilter.size(),
                           .filter = const_cast<sock_filter*>(kFilter.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace

class Confinement::Rules {
 public:
  explicit Rules(int descriptor) : descriptor_(descriptor) {}
  ~Rules() { ::close(descriptor_); }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  int descriptor() const { return descriptor_; }

  /// True also where there is nothing at that place: then nothing is to be read there.
  bool allow_reading(const char* place) const {
    const int folder = ::open(place, O_PATH | O_CLOEXEC);
    if (folder < 0) return errno == ENOENT;
    struct stat status{};
    bool allowed = ::fstat(folder, &status) == 0;
    landlock_path_beneath_attr rule{.allowed_access = kReading, .parent_fd = folder};
    if (!S_ISDIR(status.st_mode)) rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    allowed = allowed && ::syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH,
                                   &rule, 0) == 0;
    ::close(folder);
    return allowed;
  }

 private:
  const int descriptor_;
};

std::optional<Confinement> Confinement::make(const Bounds& bounds) {
  if constexpr (kArchitecture == 0) return std::nullopt;
  const landlock_ruleset_attr handled{.handled_access_fs = kHandled};
  const auto descriptor =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (descriptor < 0) return std::nullopt;
  const auto rules = std::make_shared<const Rules>(descriptor);
  for (const char* place : kReadable) {
    if (!rules->allow_reading(place)) return std::nullopt;
  }
  return Confinement(rules, bounds);
}

bool Confinement::enter() const {
  return set_limits(bounds_) && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, rules_->descriptor(), 0) == 0 && filter_calls();
}

}  // namespace coffer::confinement
