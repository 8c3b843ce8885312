#include "backends/rclone/confinement/port_confinement.h"

#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <functional>
#include <string>
#include <thread>

namespace coffer::rclone {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// 0, or errno.
int connect_error(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return errno;
  const tcp::endpoint to(asio::ip::address_v4::loopback(), port);
  const int failed = ::connect(socket, to.data(), static_cast<socklen_t>(to.size()));
  const int error = failed == 0 ? 0 : errno;
  ::close(socket);
  return error;
}

/// The version of Landlock that this kernel has, or less than 0: see landlock_create_ruleset(2).
long landlock_version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/// Rules for ports came with the fourth version.
bool kernel_has_rules() {
  return landlock_version() >= 4;
}

class LandlockTest : public testing::Test {
 protected:
  /// On a thread of its own, which alone is confined. Where the kernel cannot hold it, that is said
  /// and nothing runs.
  void confined(const std::function<void()>& work) {
    const auto confine = confine_to_ports({port_of(allowed_)});
    ASSERT_EQ(confine.has_value(), kernel_has_rules());
    if (!confine) {
      EXPECT_EQ(confine.error().code, ErrorCode::unavailable);
      EXPECT_NE(confine.error().message.find("Linux 6.7"), std::string::npos);
      return;
    }
    std::jthread([&] {
      ASSERT_TRUE((*confine)());
      work();
    });
  }
  static std::uint16_t port_of(const tcp::acceptor& acceptor) {
    return acceptor.local_endpoint().port();
  }

  asio::io_context context_;
  tcp::acceptor allowed_{context_, {asio::ip::address_v4::loopback(), 0}};
  tcp::acceptor other_{context_, {asio::ip::address_v4::loopback(), 0}};
};

TEST_F(LandlockTest, LetsConnectToGivenPortsAlone) {
  EXPECT_EQ(connect_error(port_of(other_)), 0);
  confined([&] {
    EXPECT_EQ(connect_error(port_of(allowed_)), 0);
    EXPECT_EQ(connect_error(port_of(other_)), EACCES);
  });
}

TEST_F(LandlockTest, LeavesNoSocketsButThoseOfTcp) {
  confined([] {
    EXPECT_EQ(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), -1);
    EXPECT_EQ(errno, EACCES);
  });
}

TEST_F(LandlockTest, LetsListen) {
  confined([&] {
    const tcp::acceptor own(context_, {asio::ip::address_v4::loopback(), 0});
    EXPECT_NE(port_of(own), 0);
  });
}

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
