#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/sftp/ssh_session.h"

namespace coffer::sftp {
namespace {

/// A port that no program listens on, as long as it lives.
class SilentPort {
 public:
  SilentPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    number_ = ntohs(address.sin_port);
  }
  ~SilentPort() { ::close(socket_); }
  void listen() { ::listen(socket_, 1); }
  std::uint16_t number() const { return number_; }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t number_ = 0;
};

class TcpConnect : public testing::Test {
 protected:
  Result<int> connect(const storage::MayConnect& may_connect = {}) {
    return tcp_connect("127.0.0.1", port_.number(), TimeLimit(std::chrono::seconds(5)),
                       may_connect);
  }
  SilentPort port_;
};

TEST_F(TcpConnect, GivesASocketThatDoesNotBlockAndNoProgramInherits) {
  port_.listen();
  const auto socket = connect();
  ASSERT_TRUE(socket) << socket.error().message;
  EXPECT_NE(::fcntl(*socket, F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(*socket, F_GETFD) & FD_CLOEXEC, 0);
  ::close(*socket);
}

TEST_F(TcpConnect, TellsWhyThereIsNoConnection) {
  const auto unreached = connect();
  ASSERT_FALSE(unreached);
  EXPECT_EQ(unreached.error().message, "The remote server cannot be reached.");
  const auto forbidden = connect([](const sockaddr&) { return false; });
  ASSERT_FALSE(forbidden);
  EXPECT_EQ(forbidden.error().code, ErrorCode::unavailable);
  EXPECT_EQ(forbidden.error().message,
            "Connections to the remote server's address are not allowed.");
}

TEST_F(TcpConnect, TellsThatThisMachineHasNoDescriptors) {
  port_.listen();
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (const rlim_t most : {0, 1, 2, 3, 4}) {
    const int next = ::dup(0);
    ::close(next);
    const rlimit tight{static_cast<rlim_t>(next) + most, limit.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &tight);
    const auto socket = connect();
    ::setrlimit(RLIMIT_NOFILE, &limit);
    if (socket) {
      ::close(*socket);
    } else {
      EXPECT_EQ(socket.error().code, ErrorCode::overloaded) << most;
    }
    EXPECT_TRUE(most > 0 || !socket);
  }
}

}  // namespace
}  // namespace coffer::sftp
