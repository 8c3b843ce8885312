#include "backends/rclone/confinement/port_confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

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

// From include/uapi/linux/landlock.h of Linux 6.7; Debian 12 has the header of 6.1.
constexpr std::uint64_t kAccessConnectTcp = std::uint64_t{1} << 1;  // ..._ACCESS_NET_CONNECT_TCP
constexpr int kRuleNetPort = 2;                                     // LANDLOCK_RULE_NET_PORT
constexpr long kVersionWithNet = 4;
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
};
struct NetPortAttributes {
  std::uint64_t allowed_access = 0;
  std::uint64_t port = 0;
};

class Ruleset {
 public:
  explicit Ruleset(int descriptor) : descriptor_(descriptor) {}
  ~Ruleset() { ::close(descriptor_); }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

bool has_net_rules() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >=
         kVersionWithNet;
}

bool allow(const Ruleset& rules, std::uint16_t port) {
  const NetPortAttributes allowed{kAccessConnectTcp, port};
  return ::syscall(SYS_landlock_add_rule, rules.descriptor(), kRuleNetPort, &allowed, 0) == 0;
}

std::unexpected<Error> not_here() {
  return fail(ErrorCode::unavailable,
              "Cloud drives of people who are no administrators need Linux 6.7 or newer, with "
              "Landlock, on x86-64 or 64-bit ARM; an administrator's connector works without.");
}

}  // namespace

bool keep_to_tcp_sockets() {
  if constexpr (!kHasSocketFilter) return false;
  const sock_fprog program{.len = kFilter.size(),
                           .filter = const_cast<sock_filter*>(kFilter.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

Result<std::function<bool()>> confine_to_ports(const std::vector<std::uint16_t>& ports) {
  if (!kHasSocketFilter || !has_net_rules()) return not_here();
  const RulesetAttributes handled{.handled_access_net = kAccessConnectTcp};
  const auto descriptor =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (descriptor < 0) return not_here();
  const auto rules = std::make_shared<const Ruleset>(descriptor);
  for (const std::uint16_t port : ports) {
    if (!allow(*rules, port)) return not_here();
  }
  // System calls alone: it runs between fork and exec.
  return [rules] {
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_landlock_restrict_self, rules->descriptor(), 0) == 0 &&
           keep_to_tcp_sockets();
  };
}

}  // namespace coffer::rclone
