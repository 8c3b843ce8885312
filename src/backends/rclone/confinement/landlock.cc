#include "backends/rclone/confinement/landlock.h"

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "backends/rclone/confinement/socket_filter.h"

namespace coffer::rclone {
namespace {

// Of include/uapi/linux/landlock.h in Linux 6.7; Debian 12 has the header of 6.1.
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
