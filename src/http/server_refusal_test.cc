#include <fcntl.h>
#include <fmt/format.h>

#include "http/testing/server_fixture.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

struct BadRequest {
  const char* text;
  unsigned status = 400;
};

TEST_F(ServerTest, RefusesAHeadInTheFormatOfItsPath) {
  ServerOptions options;
  options.header_limit_bytes = 1000;
  start(options);
  const std::string bad = "no colon";
  const std::string large(1000, 'x');
  for (const std::string& line : {bad, large}) {
    for (const std::string_view query : {"", "?q=1"}) {
      const auto head = [&](std::string_view path) {
        return fmt::format("GET {}{} HTTP/1.1\r\n{}\r\n\r\n", path, query, line);
      };
      EXPECT_EQ(ask(head("/v2/hello")).header("Content-Type"), "application/problem+json");
      EXPECT_EQ(ask(head("/hello")).header("Content-Type"), "application/json");
    }
  }
}

TEST_F(ServerTest, RefusesWhatParsersCouldReadDifferently) {
  const BadRequest requests[] = {
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\nabc"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \vchunked\r\n\r\n"},
      {"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a@b\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a:x\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\n Host: a\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost : a\r\n\r\n"},
      {"GET /hello HTTP/1.1\nHost: a\n\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nX: a\x01\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nX: a\x7F\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n"},
      {"GET /hello HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n"},
      {"GET  /hello HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"GET /hello\r\nHost: a\r\n\r\n"},
      {"GET /hello HTTP/1.1 \r\nHost: a\r\n\r\n"},
      {"GET /hello http/1.1\r\nHost: a\r\n\r\n"},
      {"GET /hello#top HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"GET /h\xC3\xA4 HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"GET hello HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"GET * HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"G@T /hello HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"GET /hello HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"GET /hello HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n", 417},
  };
  start();
  for (const auto& [text, status] : requests) {
    TestClient client(port());
    client.send(std::string(text) + std::string(kHello));
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, status) << text;
    EXPECT_TRUE(answer.body.starts_with(R"({"success":false,"error":")")) << text;
    EXPECT_EQ(answer.header("Connection"), "close");
    client.finish_sending();
    EXPECT_TRUE(client.is_closed()) << text;
  }
}

TEST_F(ServerTest, RefusesBrokenChunksAndClosesTheConnection) {
  start();
  for (const char* body :
       {"x\r\n", "\r\n", "-3\r\nabc\r\n", "+3\r\nabc\r\n", "0x3\r\nabc\r\n", "3\nabc\r\n",
        "3\r\nabcd\r\n", "3 \r\nabc\r\n", "fffffffffffffffff\r\n", "0\r\nbad trailer\r\n\r\n"}) {
    TestClient client(port());
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
                std::string(body) + std::string(kHello));
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 400u) << body;
    client.finish_sending();
    EXPECT_TRUE(client.is_closed()) << body;
  }
}

TEST_F(ServerTest, RefusesNulInAHead) {
  start();
  using namespace std::string_literals;
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"s).status, 400u);
}

TEST_F(ServerTest, RefusesTheHeadersOfProxiesFromAnybodyElse) {
  ServerOptions options;
  options.proxy_headers = {"X-Remote-User", "X-Remote-Groups"};
  for (const bool is_trusted : {false, true}) {
    if (is_trusted) options.trusted_proxies = TrustedProxies::parse({"127.0.0.1"}).value();
    start(options);
    for (const std::string path : {"/hello", "/v2/hello", "/nothing"}) {
      for (const std::string line : {"x-remote-user: ann", "X-Remote-Groups:"}) {
        const auto answer =
            ask(fmt::format("GET {} HTTP/1.1\r\nHost: a\r\n{}\r\n\r\n", path, line));
        EXPECT_EQ(answer.status == 400u, !is_trusted) << path << " " << line;
      }
      EXPECT_NE(ask(fmt::format("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", path)).status, 400u);
    }
  }
}

TEST_F(ServerTest, RefusesTooLargeAHead) {
  start();
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x')).status, 431u);
  EXPECT_EQ(ask("GET /" + std::string(20'000, 'x')).status, 431u);
  EXPECT_EQ(
      ask("GET /hello HTTP/1.1\r\nHost: a\r\nX: " + std::string(15'000, 'x') + "\r\n\r\n").status,
      200u);
}

}  // namespace
}  // namespace coffer::http
