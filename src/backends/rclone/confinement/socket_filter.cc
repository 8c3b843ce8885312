#include "backends/rclone/confinement/socket_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace coffer::rclone {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::uint32_t kTypeMask = 0xf;  // SOCK_TYPE_MASK: the rest of the type are flags.

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

/// The lower half of an argument, which is all that socket(2) looks at.
constexpr sock_filter load_argument(std::size_t index) {
  return load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

constexpr sock_filter if_equal(std::uint32_t value, std::uint8_t skipped,
                               std::uint8_t skipped_else) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, skipped_else);
}

constexpr std::array kFilter = {
    load(offsetof(seccomp_data, arch)),
    if_equal(kArchitecture, 0, 11),
    load(offsetof(seccomp_data, nr)),
    if_equal(SYS_socket, 0, 10),
    load_argument(0),
    if_equal(AF_INET, 1, 0),
    if_equal(AF_INET6, 0, 6),
    load_argument(1),
    sock_filter BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kTypeMask),
    if_equal(SOCK_STREAM, 0, 3),
    load_argument(2),
    if_equal(0, 2, 0),
    if_equal(IPPROTO_TCP, 1, 0),
    sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

}  // namespace

bool keep_to_tcp_sockets() {
  if constexpr (!kHasSocketFilter) return false;
  const sock_fprog program{.len = kFilter.size(),
                           .filter = const_cast<sock_filter*>(kFilter.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace coffer::rclone
