#include "backends/sftp/tcp_connect.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "backends/sftp/failure.h"

namespace coffer::sftp {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

struct Question {
  std::string host;
  std::string port;
  std::mutex mutex = {};
  std::condition_variable answered = {};
  bool is_answered = false;
  Addresses addresses = {};
};

Addresses ask(const Question& question, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(question.host.c_str(), question.port.c_str(), &hints, &found);
  return Addresses(error == 0 ? found : nullptr);
}

void answer(Question& question) {
  auto addresses = ask(question, 0);
  const std::lock_guard lock(question.mutex);
  question.addresses = std::move(addresses);
  question.is_answered = true;
  question.answered.notify_one();
}

Result<Addresses> resolve(const std::string& host, std::uint16_t port, const TimeLimit& limit) {
  const auto question = std::make_shared<Question>(host, std::to_string(port));
  if (auto numeric = ask(*question, AI_NUMERICHOST)) return numeric;
  // getaddrinfo(3) knows no deadline: a name server that is silent keeps this thread alone, which
  // ends by itself and holds nothing but its question.
  std::thread([question] { answer(*question); }).detach();
  std::unique_lock lock(question->mutex);
  const auto answered = [&] { return question->is_answered; };
  if (!question->answered.wait_until(lock, limit.end(), answered)) return fail_late();
  if (question->addresses) return std::move(question->addresses);
  return fail(ErrorCode::unavailable,
              fmt::format("The remote server's name is not known: {}.", host));
}

Result<void> wait_connected(int socket, const TimeLimit& limit) {
  pollfd waiting{socket, POLLOUT, 0};
  for (;;) {
    const int ready = ::poll(&waiting, 1, limit.left_ms());
    if (ready == 0) return fail_late();
    if (ready > 0) break;
    if (errno != EINTR) return fail_lost();
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return fail(ErrorCode::unavailable, "The remote server cannot be reached.");
  return {};
}

Result<int> connect_to(const addrinfo& address, const TimeLimit& limit) {
  const int socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) {
    return std::unexpected(
        lack_of(errno).value_or(Error{ErrorCode::failed, "No socket could be opened."}));
  }
  // Requests are small and answered one by one: waiting to fill packets would stall them.
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Result<void> connected;
  if (::connect(socket, address.ai_addr, address.ai_addrlen) != 0) {
    connected = errno == EINPROGRESS
                    ? wait_connected(socket, limit)
                    : fail(ErrorCode::unavailable, "The remote server cannot be reached.");
  }
  if (connected) return socket;
  ::close(socket);
  return failure_of(connected);
}

}  // namespace

Result<int> tcp_connect(const std::string& host, std::uint16_t port, const TimeLimit& limit,
                        const storage::MayConnect& may_connect) {
  const auto addresses = resolve(host, port, limit);
  if (!addresses) return failure_of(addresses);
  Result<int> socket =
      fail(ErrorCode::unavailable, "Connections to the remote server's address are not allowed.");
  for (const addrinfo* each = addresses->get(); each != nullptr; each = each->ai_next) {
    if (may_connect && !may_connect(*each->ai_addr)) continue;
    // A silent address leaves half of the time to those after it.
    const std::chrono::milliseconds left(limit.left_ms());
    socket = connect_to(*each, TimeLimit(each->ai_next != nullptr ? left / 2 : left));
    if (socket || limit.is_over()) break;
  }
  return socket;
}

}  // namespace coffer::sftp
