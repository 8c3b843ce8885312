#include "backends/rclone/landlock.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <functional>
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

int socket_error(int domain, int type, int protocol) {
  const int socket = ::socket(domain, type, protocol);
  if (socket < 0) return errno;
  ::close(socket);
  return 0;
}

class LandlockTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!confine_to_ports({})) GTEST_SKIP() << "This kernel has no such rules.";
  }
  /// On a thread of its own, which alone is confined.
  void confined(const std::function<void()>& work) {
    const auto confine = confine_to_ports({port_of(allowed_)}).value();
    std::jthread([&] {
      ASSERT_TRUE(confine());
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
  EXPECT_EQ(socket_error(AF_INET, SOCK_DGRAM, 0), 0);
  confined([] {
    EXPECT_EQ(socket_error(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP), 0);
    EXPECT_EQ(socket_error(AF_INET6, SOCK_STREAM, 0), 0);
    EXPECT_EQ(socket_error(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), EACCES);
    EXPECT_EQ(socket_error(AF_INET6, SOCK_DGRAM, IPPROTO_UDP), EACCES);
    EXPECT_EQ(socket_error(AF_INET, SOCK_STREAM, IPPROTO_MPTCP), EACCES);
    EXPECT_EQ(socket_error(AF_UNIX, SOCK_STREAM, 0), EACCES);
  });
}

TEST_F(LandlockTest, LetsListen) {
  confined([&] {
    const tcp::acceptor own(context_, {asio::ip::address_v4::loopback(), 0});
    EXPECT_NE(port_of(own), 0);
  });
}

}  // namespace
}  // namespace coffer::rclone
