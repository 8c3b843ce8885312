#include "servers/loopback.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace coffer::servers {
namespace {

constexpr int kPatienceMs = 20'000;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

int listen_on_loopback() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(0);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket, 64) != 0) {
    throw std::system_error(errno, std::generic_category(), "no port of the loopback");
  }
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

int connect_to_loopback(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(port);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return socket;
  }
  ::close(socket);
  return -1;
}

std::uint16_t free_port() {
  const int socket = listen_on_loopback();
  const auto port = port_of(socket);
  ::close(socket);
  return port;
}

bool wait_for_port(std::uint16_t port) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    if (const int socket = connect_to_loopback(port); socket >= 0) {
      ::close(socket);
      return true;
    }
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> found;
  const auto id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; list >> child;) {
    found.push_back(child);
    const auto below = children_of(child);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

void end_processes(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) {
    const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (handle < 0) continue;  // It has ended already.
    ::kill(process, SIGKILL);
    pollfd ended{handle, POLLIN, 0};
    const int is_over = ::poll(&ended, 1, kPatienceMs);
    ::close(handle);
    if (is_over != 1) throw std::runtime_error("A process does not end.");
  }
}

}  // namespace coffer::servers
