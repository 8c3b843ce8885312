#include "backends/rclone/engine/proxy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "backends/rclone/engine/basic_authorization.h"
#include "backends/rclone/engine/testing/talk_fixture.h"

namespace coffer::rclone {
namespace {

bool all(const sockaddr& /*address*/) {
  return true;
}

bool none(const sockaddr& /*address*/) {
  return false;
}

class ProxyTest : public TalkTest {
 protected:
  void start(storage::MayConnect may_connect, ProxyLimits limits = {}) {
    proxy_.emplace(std::move(may_connect), limits);
  }

  tcp::socket client() { return connect_to(proxy_->port()); }

  std::string credential() const {
    const std::string url = proxy_->url();
    const auto from = url.rfind(':', url.find('@')) + 1;
    return "Proxy-Authorization: " +
           basic_authorization("coffer", url.substr(from, url.find('@') - from)) + "\r\n";
  }

  std::string connect_request(const std::string& host) const {
    return fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n{1}\r\n", host, credential());
  }

  std::string server_address() const { return fmt::format("127.0.0.1:{}", server_port()); }
  std::uint16_t server_port() const { return acceptor_.local_endpoint().port(); }

  /// The whole answer of a proxy that closes behind it.
  std::string answer_to(const std::string& request) {
    auto socket = client();
    send(socket, request);
    return read_to_end(socket);
  }

  /// Both ends of a tunnel.
  std::pair<tcp::socket, tcp::socket> tunnel() {
    auto near = client();
    send(near, connect_request(server_address()));
    EXPECT_EQ(read_some(near, kEstablished.size()), kEstablished);
    auto far = accept_from(acceptor_);
    return {std::move(near), std::move(far)};
  }

  bool is_server_asked() {
    acceptor_.non_blocking(true);
    boost::system::error_code error;
    acceptor_.accept(error);
    return !error;
  }

  static constexpr std::string_view kEstablished = "HTTP/1.1 200 Connection established\r\n\r\n";
  tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
  std::optional<Proxy> proxy_;
};

TEST_F(ProxyTest, PassesBytesBothWays) {
  start(all);
  auto [near, far] = tunnel();
  send(near, "question");
  EXPECT_EQ(read_some(far, 8), "question");
  send(far, "answer");
  EXPECT_EQ(read_some(near, 6), "answer");
}

TEST_F(ProxyTest, PassesOnWhatComesRightBehindTheHead) {
  start(all);
  auto near = client();
  send(near, connect_request(server_address()) + "early");
  auto far = accept_from(acceptor_);
  EXPECT_EQ(read_some(far, 5), "early");
}

TEST_F(ProxyTest, RefusesAnAddressThatMayNotBeConnectedTo) {
  start(none);
  EXPECT_TRUE(answer_to(connect_request(server_address()))
                  .starts_with("HTTP/1.1 403 Address Not Allowed\r\n"));
  EXPECT_FALSE(is_server_asked());
}

TEST_F(ProxyTest, AsksForEachAddressOfAName) {
  std::atomic<int> asked = 0;
  start([&](const sockaddr& /*address*/) { return ++asked < 0; });
  const auto answer = answer_to(connect_request(fmt::format("localhost:{}", server_port())));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 Address Not Allowed\r\n"));
  EXPECT_GE(asked, 1);
  EXPECT_FALSE(is_server_asked());
}

TEST_F(ProxyTest, ConnectsToTheAddressOfAName) {
  start([](const sockaddr& address) { return address.sa_family == AF_INET; });
  auto near = client();
  send(near, connect_request(fmt::format("localhost:{}", server_port())));
  EXPECT_EQ(read_some(near, kEstablished.size()), kEstablished);
}

TEST_F(ProxyTest, RefusesAnAddressInAnUnusualSpelling) {
  start(none);
  const auto answer = answer_to(connect_request(fmt::format("127.1:{}", server_port())));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 "));
}

TEST_F(ProxyTest, WantsItsCredential) {
  start(all);
  for (const std::string& header :
       {std::string(),
        "Proxy-Authorization: " + basic_authorization("coffer", std::string(64, '0')) + "\r\n"}) {
    const auto answer =
        answer_to(fmt::format("CONNECT {} HTTP/1.1\r\n{}\r\n", server_address(), header));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 407 "));
    EXPECT_TRUE(answer.contains("Proxy-Authenticate: Basic "));
  }
  EXPECT_FALSE(is_server_asked());
}

TEST_F(ProxyTest, RefusesPlainHttp) {
  start(all);
  const auto answer =
      answer_to(fmt::format("GET http://{}/ HTTP/1.1\r\n{}\r\n", server_address(), credential()));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 Https Only\r\n"));
  EXPECT_FALSE(is_server_asked());
}

TEST_F(ProxyTest, RefusesWhatIsNoHostWithAPort) {
  start(all);
  for (const char* target : {"localhost", "localhost:", "localhost:0", "localhost:99999", ":443",
                             "a@b:443", "http://localhost:443", "[::1", "[::1]"}) {
    EXPECT_TRUE(answer_to(connect_request(target)).starts_with("HTTP/1.1 400 ")) << target;
  }
}

TEST_F(ProxyTest, TellsWhenThereIsNoWay) {
  start(all);
  const std::string address = server_address();
  acceptor_.close();
  EXPECT_TRUE(answer_to(connect_request(address)).starts_with("HTTP/1.1 502 Bad Gateway\r\n"));
}

TEST_F(ProxyTest, PassesOnThatTheClientHasEnded) {
  start(all);
  auto [near, far] = tunnel();
  send(near, "question");
  near.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(read_to_end(far), "question");
  send(far, "answer");
  far.close();
  EXPECT_EQ(read_to_end(near), "answer");
}

TEST_F(ProxyTest, PassesOnThatTheServerHasEnded) {
  start(all);
  auto [near, far] = tunnel();
  send(far, "answer");
  far.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(read_to_end(near), "answer");
  send(near, "late question");
  near.close();
  EXPECT_EQ(read_to_end(far), "late question");
}

TEST_F(ProxyTest, PassesMuchBothWaysAtOnce) {
  start(all);
  auto ends = tunnel();
  auto& near = ends.first;
  auto& far = ends.second;
  const std::string up(32 << 20, 'u');
  const std::string down(24 << 20, 'd');
  std::string came_up(up.size(), '\0');
  std::string came_down(down.size(), '\0');
  begin_sending(near, up);
  begin_sending(far, down);
  begin_reading(far, came_up);
  begin_reading(near, came_down);
  finish(near, far);
  EXPECT_TRUE(came_up == up);
  EXPECT_TRUE(came_down == down);
}

TEST_F(ProxyTest, EndsItsTunnelsWithIt) {
  start(all);
  auto ends = tunnel();
  proxy_.reset();
  EXPECT_EQ(read_to_end(ends.first), "");
  EXPECT_EQ(read_to_end(ends.second), "");
}

TEST_F(ProxyTest, EndsATunnelThatBreaks) {
  start(all);
  auto [near, far] = tunnel();
  far.set_option(asio::socket_base::linger(true, 0));
  far.close();
  EXPECT_EQ(read_some(near, 1), "");
}

TEST_F(ProxyTest, EndsATunnelThatIsNotUsed) {
  start(all, {.idle = std::chrono::milliseconds(20)});
  auto [near, far] = tunnel();
  EXPECT_EQ(read_to_end(near), "");
  EXPECT_EQ(read_to_end(far), "");
}

TEST_F(ProxyTest, DoesNotWaitLongForAHead) {
  start(all, {.ask = std::chrono::milliseconds(20)});
  EXPECT_TRUE(answer_to("CONNECT ").starts_with("HTTP/1.1 504 "));
}

TEST_F(ProxyTest, TakesNoEndlessHead) {
  start(all);
  EXPECT_TRUE(answer_to("CONNECT a:1 HTTP/1.1\r\nA: " + std::string(16 << 10, 'a'))
                  .starts_with("HTTP/1.1 400 "));
}

TEST_F(ProxyTest, RefusesWhatIsTooMuch) {
  start(all, {.connections = 1});
  auto ends = tunnel();
  auto other = client();
  EXPECT_TRUE(read_to_end(other).starts_with("HTTP/1.1 503 "));
}

}  // namespace
}  // namespace coffer::rclone
