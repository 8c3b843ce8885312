#include "backends/rclone/confinement/socket_filter.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace coffer::rclone {
namespace {

/// 0, or errno.
int socket_error(int domain, int type, int protocol) {
  const int socket = ::socket(domain, type, protocol);
  if (socket < 0) return errno;
  ::close(socket);
  return 0;
}

TEST(SocketFilter, LeavesNoSocketsButThoseOfTcp) {
  static_assert(kHasSocketFilter, "The program is tested on processors that have the filter.");
  EXPECT_EQ(socket_error(AF_INET, SOCK_DGRAM, 0), 0);
  // On a thread of its own, which alone is filtered.
  std::jthread([] {
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_TRUE(keep_to_tcp_sockets());
    EXPECT_EQ(socket_error(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP), 0);
    EXPECT_EQ(socket_error(AF_INET6, SOCK_STREAM, 0), 0);
    EXPECT_EQ(socket_error(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), EACCES);
    EXPECT_EQ(socket_error(AF_INET6, SOCK_DGRAM, IPPROTO_UDP), EACCES);
    EXPECT_EQ(socket_error(AF_INET, SOCK_STREAM, IPPROTO_MPTCP), EACCES);
    EXPECT_EQ(socket_error(AF_UNIX, SOCK_STREAM, 0), EACCES);
  });
}

}  // namespace
}  // namespace coffer::rclone
