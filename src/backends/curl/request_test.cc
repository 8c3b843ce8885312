#include "backends/curl/request.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace coffer::curl {
namespace {

using namespace std::chrono_literals;

/// Answers one connection of loopback with some bytes, when it has a whole request.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, any, length) != 0 || ::listen(listener_, 4) != 0 ||
        ::getsockname(listener_, any, &length) != 0) {
      throw std::runtime_error("there is no port");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { serve(); });
  }
  ~OneAnswer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  std::string url() const { return fmt::format("http://127.0.0.1:{}/token", port_); }
  int connections() const { return connections_; }
  /// Once the connection has ended.
  const std::string& request() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    thread_ = std::jthread([] {});
    return request_;
  }

 private:
  void serve() {
    for (;;) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      ++connections_;
      char block[4096];
      while (request_.find("last=1") == std::string::npos) {
        const auto count = ::recv(socket, block, sizeof block, 0);
        if (count <= 0) break;
        request_.append(block, static_cast<std::size_t>(count));
      }
      for (std::size_t sent = 0; sent < answer_.size();) {
        const auto count =
            ::send(socket, answer_.data() + sent, answer_.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
      }
      if (answer_.empty()) {  // It says nothing until the other side goes.
        while (::recv(socket, block, sizeof block, 0) > 0) continue;
      }
      ::close(socket);
    }
  }

  const std::string answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::string request_;
  std::jthread thread_;
};

Request post_to(const std::string& url) {
  Request post;
  post.url = url;
  post.form = {{"code", "a b&c"}, {"last", "1"}};
  return post;
}

std::string answer_of(std::string_view status, const std::string& headers,
                      const std::string& body) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), headers,
                     body);
}

Error error_of(const Request& post) {
  const auto answer = send(post);
  EXPECT_FALSE(answer);
  return answer ? Error{} : answer.error();
}

TEST(Request, SendsAFormAndGivesWhatIsAnswered) {
  OneAnswer server(answer_of("400 Bad Request", "", R"({"error":"x"})"));
  const auto answer = send(post_to(server.url()));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->body, R"({"error":"x"})");
  const std::string& request = server.request();
  EXPECT_TRUE(request.starts_with("POST /token HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("\r\nContent-Type: application/x-www-form-urlencoded\r\n"),
            std::string::npos);
  EXPECT_NE(request.find("\r\nAccept: application/json\r\n"), std::string::npos);
  EXPECT_TRUE(request.ends_with("\r\n\r\ncode=a%20b%26c&last=1")) << request;
}

TEST(Request, GetsWithHeadersAndToALimit) {
  const std::string body(100 * 1024, 'x');
  OneAnswer server(answer_of("200 OK", "", body));
  Request get;
  get.url = server.url() + "?last=1";
  get.headers = {"Authorization: Bearer secret"};
  get.limit_bytes = 200 * 1024;
  const auto answer = send(get);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, body);
  const std::string& request = server.request();
  EXPECT_TRUE(request.starts_with("GET /token?last=1 HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("\r\nAuthorization: Bearer secret\r\n"), std::string::npos);
  get.limit_bytes = body.size();  // The headers count too.
  OneAnswer again(answer_of("200 OK", "", body));
  get.url = again.url() + "?last=1";
  EXPECT_EQ(error_of(get).message, "The answer of server is too long.");
}

TEST(Request, FollowsNoRedirect) {
  OneAnswer target(answer_of("200 OK", "", "{}"));
  OneAnswer server(answer_of("307 Temporary Redirect", "Location: " + target.url() + "\r\n", ""));
  const auto answer = send(post_to(server.url()));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 307);
  EXPECT_EQ(target.connections(), 0);
}

TEST(Request, ConnectsToNoAddressThatIsNotAllowed) {
  OneAnswer server(answer_of("200 OK", "", "{}"));
  Request post = post_to(server.url());
  post.may_connect = [](const sockaddr&) { return false; };
  const Error error = error_of(post);
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_NE(error.message.find("not allowed"), std::string::npos);
  EXPECT_EQ(server.connections(), 0);
}

TEST(Request, TakesNoAnswerWithoutAnEnd) {
  const std::string much(200 * 1024, 'x');
  for (const std::string& answer : {answer_of("200 OK", "", much), "HTTP/1.1 200 OK\r\n\r\n" + much,
                                    answer_of(
                                        "200 OK",
                                        [] {
                                          std::string headers;
                                          for (int line = 0; line < 4000; ++line)
                                            headers += fmt::format("X-{}: 0123456789\r\n", line);
                                          return headers;
                                        }(),
                                        "{}")}) {
    OneAnswer server(answer);
    const Error error = error_of(post_to(server.url()));
    EXPECT_EQ(error.code, ErrorCode::unavailable);
    EXPECT_NE(error.message.find("too long"), std::string::npos) << error.message;
  }
}

TEST(Request, WaitsNoLongerThanItMay) {
  OneAnswer server("");
  Request post = post_to(server.url());
  post.deadlines.reply = 100ms;
  EXPECT_EQ(error_of(post).code, ErrorCode::timed_out);
}

TEST(Request, EndsWithTheProgram) {
  OneAnswer server("");
  std::stop_source ending;
  Request post = post_to(server.url());
  post.deadlines.ending = ending.get_token();
  const std::jthread ender([&] {
    while (server.connections() == 0) std::this_thread::yield();
    ending.request_stop();
  });
  EXPECT_EQ(error_of(post), storage::fail_ending().error());
}

TEST(Request, TellsWhatIsWrongWithoutTheAddress) {
  Request post = post_to("http://127.0.0.1:1/hunter2");
  EXPECT_EQ(error_of(post).code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(post).message.find("hunter2"), std::string::npos);
  post.url = "file:///etc/passwd";
  EXPECT_EQ(error_of(post).code, ErrorCode::unavailable);
  for (const char* answer :
       {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "nonsense\r\n"}) {
    OneAnswer server(answer);
    EXPECT_EQ(error_of(post_to(server.url())).code, ErrorCode::unavailable) << answer;
  }
}

}  // namespace
}  // namespace coffer::curl
