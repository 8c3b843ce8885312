#include "app/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string>

#include "base/testing/scratch_folder.h"

namespace coffer::app {
namespace {

/// What systemd has: a socket that gets what a service says of itself.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path);
    ::bind(socket_, reinterpret_cast<const ::sockaddr*>(&address), sizeof address);
  }
  ~NotifySocket() { ::close(socket_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  /// Empty if nothing was sent.
  std::string next() const {
    std::array<char, 256> text{};
    const auto size = ::recv(socket_, text.data(), text.size(), MSG_DONTWAIT);
    return {text.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
  }

 private:
  const int socket_;
};

class ServiceManagerTest : public testing::Test {
 protected:
  ScratchFolder folder_;
  const std::string path_ = (folder_.path() / "notify").string();
  NotifySocket socket_{path_};
  boost::asio::io_context context_{1};
};

TEST_F(ServiceManagerTest, IsToldOfEachStateOnce) {
  ServiceManager manager(context_, {{"NOTIFY_SOCKET", path_}});
  EXPECT_EQ(socket_.next(), "") << "nothing is said before the server serves";
  manager.tell_ready();
  manager.tell_reloading();
  manager.tell_ready();
  manager.tell_stopping();
  EXPECT_EQ(socket_.next(), "READY=1");
  EXPECT_TRUE(socket_.next().starts_with("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(socket_.next(), "READY=1");
  EXPECT_EQ(socket_.next(), "STOPPING=1");
  EXPECT_EQ(socket_.next(), "");
}

TEST_F(ServiceManagerTest, GetsSignsOfLifeOnlyWhileTheThreadWorks) {
  ServiceManager manager(context_, {{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "2000"}});
  manager.tell_ready();
  EXPECT_EQ(socket_.next(), "READY=1");
  EXPECT_EQ(socket_.next(), "WATCHDOG=1");
  EXPECT_EQ(socket_.next(), "");
  context_.run_one();
  EXPECT_EQ(socket_.next(), "WATCHDOG=1");
  manager.end();
  context_.run();
  EXPECT_EQ(socket_.next(), "");
}

TEST_F(ServiceManagerTest, SignsOfLifeEndAlsoWhereTheNextOneIsDueAlready) {
  ServiceManager manager(context_, {{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "2000"}});
  boost::asio::steady_timer first(context_, std::chrono::microseconds(0));
  first.async_wait([&manager](boost::system::error_code) { manager.end(); });
  manager.tell_ready();
  const auto due = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
  while (std::chrono::steady_clock::now() < due) continue;
  context_.run();  // Both waits are over, and the one that ends the other is the first.
}

TEST_F(ServiceManagerTest, WhoDoesNotListenHoldsNothingUp) {
  ServiceManager manager(context_, {{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "2000"}});
  manager.tell_ready();
  for (int i = 0; i < 600; ++i)
    context_.run_one();  // More than a socket takes (net.unix.max_dgram_qlen).
  manager.tell_stopping();
  manager.end();
  context_.run();
}

TEST_F(ServiceManagerTest, SignsOfLifeOfAnotherProcessAreNotAskedOfThisOne) {
  ServiceManager manager(
      context_, {{"NOTIFY_SOCKET", path_}, {"WATCHDOG_USEC", "2000"}, {"WATCHDOG_PID", "1"}});
  manager.tell_ready();
  EXPECT_EQ(socket_.next(), "READY=1");
  EXPECT_EQ(socket_.next(), "");
}

TEST_F(ServiceManagerTest, NobodyIsToldWhereNobodyAsks) {
  ServiceManager manager(context_, {});
  manager.tell_ready();
  manager.tell_stopping();
  context_.run();
  EXPECT_EQ(socket_.next(), "");
}

}  // namespace
}  // namespace coffer::app
