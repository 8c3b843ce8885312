#include "backends/ftp/testing/fake_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace coffer::ftp {
namespace {

int listen_on_loopback(std::uint16_t& port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket, generic, length) != 0 || ::listen(socket, 16) != 0 ||
      ::getsockname(socket, generic, &length) != 0) {
    throw std::runtime_error("the fake server cannot listen");
  }
  port = ntohs(address.sin_port);
  return socket;
}

bool send_all(int socket, std::string_view data) {
  while (!data.empty()) {
    const auto sent = ::send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

/// One connection for commands.
class FakeServer::Talk {
 public:
  Talk(FakeServer& server, int socket) : server_(server), socket_(socket) {}
  ~Talk() {
    close_data();
    server_.let_go(socket_);
  }

  void run() {
    const auto behaviour = server_.behaviour();
    if (behaviour.closes_at_connect) return;
    if (behaviour.says_nothing) return wait_for_the_end();
    if (!say("220 Ready")) return;
    while (const auto line = next_line()) {
      {
        const std::lock_guard lock(server_.mutex_);
        server_.received_.push_back(*line);
      }
      if (!answer(*line)) return;
    }
  }

 private:
  bool say(const std::string& line) { return send_all(socket_, line + "\r\n"); }

  void wait_for_the_end() {
    while (next_line()) {
    }
  }

  std::optional<std::string> next_line() {
    for (;;) {
      if (const auto end = input_.find("\r\n"); end != std::string::npos) {
        std::string line = input_.substr(0, end);
        input_.erase(0, end + 2);
        return line;
      }
      char buffer[4096];
      const auto count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) return std::nullopt;
      input_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  bool answer(const std::string& line) {
    const auto behaviour = server_.behaviour();
    const std::string verb = line.substr(0, line.find(' '));
    const std::string rest = line.size() > verb.size() ? line.substr(verb.size() + 1) : "";
    if (verb == "USER") return say("331 And the password?");
    if (behaviour.stalls_at_login) return wait_for_the_end(), false;
    if (behaviour.refuses_login) return say("530 No");
    if (verb == "PASS") return ++server_.logins_, say("230 Come in");
    if (verb == "PWD") return say("257 \"/\" it is");
    if (verb == "FEAT") {
      return behaviour.features.empty() ? say("502 None")
                                        : say("211-These\r\n" + behaviour.features + "211 End");
    }
    if (behaviour.stalls_in_commands) return wait_for_the_end(), false;
    if (verb == "QUIT") return false;
    for (const auto& asked : {line, verb}) {
      const auto reply = behaviour.replies.find(asked);
      if (reply != behaviour.replies.end()) return say(reply->second);
    }
    return answer_command(behaviour, verb, rest);
  }

  bool answer_command(const Behaviour& behaviour, const std::string& verb,
                      const std::string& rest) {
    if (verb == "MLST" && rest == "/") return say("250-This\r\n type=dir; /\r\n250 End");
    if (verb == "TYPE") return say("200 As you like");
    if (verb == "CWD" && behaviour.endless_reply) return flood();
    if (verb == "CWD" && behaviour.dripping_reply) return drip();
    if (verb == "CWD") return say(rest == "/" ? "250 Here" : "550 No such folder");
    if (verb == "SIZE") return say("213 " + std::to_string(behaviour.content.size()));
    if (verb == "MDTM") return say("213 " + behaviour.time);
    if (verb == "REST") {
      skip_ = std::stoull(rest);
      return say("350 From there");
    }
    if (verb == "EPSV" && behaviour.data_address.empty()) return open_data("");
    if (verb == "PASV") return open_data(behaviour.data_address);
    if (verb == "STOR") return take_data(behaviour);
    if (verb == "RETR") return send_data(behaviour, behaviour.content.substr(skip_));
    if (verb == "MLSD" && !behaviour.mlsd_listing.empty()) {
      return send_data(behaviour, behaviour.mlsd_listing);
    }
    if (verb == "LIST" || verb == "MLSD") return send_data(behaviour, behaviour.listing);
    return say("502 No");
  }

  bool flood() {
    while (say("250-" + std::string(1000, 'x'))) {
    }
    return false;
  }

  /// Each line comes alone: it takes about half a second until the client has had too many.
  bool drip() {
    while (say("250-a line of the reply"))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    return false;
  }

  bool open_data(const std::string& address) {
    close_data();
    std::uint16_t port = 0;
    data_ = server_.keep(listen_on_loopback(port));
    if (address.empty()) return say("229 Come (|||" + std::to_string(port) + "|)");
    return say("227 Come (" + address + "," + std::to_string(port / 256) + "," +
               std::to_string(port % 256) + ")");
  }

  void close_data() {
    if (data_ >= 0) server_.let_go(data_);
    data_ = -1;
  }

  /// Throws away what comes.
  bool take_data(const Behaviour& behaviour) {
    const int data = ::accept4(data_, nullptr, nullptr, SOCK_CLOEXEC);
    if (data < 0) return false;
    server_.keep(data);
    say("150 Let it come");
    char buffer[4096];
    std::size_t taken = 0;
    while (taken < behaviour.cut_after) {
      const auto count = ::recv(data, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      taken += static_cast<std::size_t>(count);
    }
    server_.let_go(data);
    close_data();
    return say(taken < behaviour.cut_after ? "226 That was it" : "552 Disk full");
  }

  bool send_data(const Behaviour& behaviour, const std::string& all) {
    skip_ = 0;
    const int data = ::accept4(data_, nullptr, nullptr, SOCK_CLOEXEC);
    if (data < 0) return false;
    server_.keep(data);
    say("150 Here it comes");
    bool whole = all.size() <= behaviour.cut_after;
    send_all(data, std::string_view(all).substr(0, behaviour.cut_after));
    if (behaviour.stalls_in_data) wait_for_the_end();
    while (behaviour.endless_listing && send_all(data, all)) whole = false;
    server_.let_go(data);
    close_data();
    while (server_.behaviour().withholds_the_end && !server_.ending_) std::this_thread::yield();
    return whole && say("226 That was it");
  }

  FakeServer& server_;
  const int socket_;
  int data_ = -1;
  std::size_t skip_ = 0;
  std::string input_;
};

FakeServer::FakeServer(Behaviour behaviour)
    : behaviour_(std::move(behaviour)), listener_(listen_on_loopback(port_)) {
  acceptor_ = std::jthread([this] { accept_all(); });
}

FakeServer::~FakeServer() {
  ending_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  hang_up();
  talks_.clear();
  ::close(listener_);
}

void FakeServer::set(const std::function<void(Behaviour&)>& change) {
  const std::lock_guard lock(mutex_);
  change(behaviour_);
}

FakeServer::Behaviour FakeServer::behaviour() const {
  const std::lock_guard lock(mutex_);
  return behaviour_;
}

std::vector<std::string> FakeServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

void FakeServer::hang_up() {
  const std::lock_guard lock(mutex_);
  for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
}

int FakeServer::keep(int socket) {
  const std::lock_guard lock(mutex_);
  open_.push_back(socket);
  if (ending_) ::shutdown(socket, SHUT_RDWR);
  return socket;
}

void FakeServer::let_go(int socket) {
  const std::lock_guard lock(mutex_);
  std::erase(open_, socket);
  ::close(socket);
}

void FakeServer::accept_all() {
  while (!ending_) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    keep(socket);
    talks_.emplace_back([this, socket] { Talk(*this, socket).run(); });
  }
}

}  // namespace coffer::ftp
