#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "http/testing/server_fixture.h"
#include "http/testing/stream_handlers.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLarge = 5 * 1024 * 1024;

/// Servers and clients of these tests speak HTTP/2. What holds for HTTP/1.1 too stands in the tests
/// of ServerTest, which run by HTTP/2 once more.
class Http2Test : public ServerTest {
 protected:
  Http2Test() { ::setenv("COFFER_TEST_HTTP2", "1", 1); }
  ~Http2Test() override { ::unsetenv("COFFER_TEST_HTTP2"); }

  static std::string get(std::string_view path) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }
};

TEST_F(Http2Test, AnswersManyRequestsAtOnce) {
  start();
  TestClient client(port());
  for (int i = 0; i < 50; ++i) client.send(get("/small"));
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.read_answer().body, pattern(1024));
}

TEST_F(Http2Test, ASlowRequestHoldsUpNoOther) {
  start();
  TestClient client(port());
  client.send(get("/never") + get("/file") + get("/lasting"));
  // The translator keeps the order of requests: only what the server counts tells.
  wait_for_files();
  while (streams_alive() == 0) std::this_thread::yield();
  EXPECT_FALSE(server_->stop(10ms));
}

TEST_F(Http2Test, TakesLargeBodiesWhole) {
  start();
  TestClient client(port());
  const std::string body = pattern(20'000'001);
  const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ";
  for (int i = 0; i < 2; ++i) {
    client.send(head + std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_TRUE(client.read_answer().body == body);
  }
}

TEST_F(Http2Test, RunningRequestsFinishWhenItStops) {
  start();
  TestClient idle(port());
  idle.send(kHello);
  EXPECT_EQ(idle.read_answer().body, "hello");
  TestClient client(port());
  client.send(get("/slow") + get("/lasting"));
  wait_for_slow();
  while (streams_alive() == 0) std::this_thread::yield();
  EXPECT_TRUE(server_->stop(30s));
  EXPECT_EQ(client.read_answer().body, "slow");
  const auto lasting = client.read_answer();
  EXPECT_EQ(lasting.body, "begun");
  EXPECT_TRUE(lasting.is_whole);
  EXPECT_TRUE(client.is_closed());
  EXPECT_TRUE(client.has_ended_tls());
  EXPECT_TRUE(idle.is_closed());
}

TEST_F(Http2Test, DrainingEndsConnectionsWhenTheirRequestsHaveEnded) {
  start();
  TestClient client(port());
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
  server_->drain();
  EXPECT_TRUE(client.is_closed());  // It answers the notice when it reads.
  TestClient later(port());
  later.send(kHello);
  EXPECT_EQ(later.read_answer().body, "hello");
}

TEST_F(Http2Test, AnIdleConnectionIsEndedInOrder) {
  ServerOptions options;
  options.idle_timeout = 50ms;
  start(options);
  TestClient client(port());
  EXPECT_TRUE(client.is_closed());
  EXPECT_TRUE(client.has_ended_tls());
}

TEST_F(Http2Test, AFullServerSaysSo) {
  ServerOptions options;
  options.max_connections = 1;
  start(options);
  TestClient first(port());
  first.send(get("/never"));
  wait_for_slow();
  TestClient second(port());
  second.send(kHello);
  EXPECT_EQ(second.read_answer().status, 503u);
  EXPECT_TRUE(second.is_closed());
}

TEST_F(Http2Test, AClientThatEndsItsSideGetsNoMore) {
  ServerOptions options;
  options.stall_timeout = options.idle_timeout = 1h;
  start(options);
  for (int i = 0; i < 5; ++i) {
    TestClient client(port());
    for (const std::string_view path : {"/file", "/stream", "/memory", "/endless"})
      client.send(get(path));
    wait_for_files();
    client.finish_sending();
    while (server_->connections() > 0) client.take_some();
    EXPECT_EQ(contents_alive(), 0);
    EXPECT_EQ(streams_alive(), 0);
  }
}

/// Waits until the server has given up a body for which it waited.
void wait_for_stall(std::uint16_t port) {
  TestClient slow(port);
  slow.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_EQ(slow.read_answer().status, 408u);
}

TEST_F(Http2Test, OnlyTheResponseThatIsNotTakenIsCut) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  TestClient client(port());
  client.send(get("/file") + get("/text"));
  wait_for_files();
  for (int i = 0; i < 3; ++i) wait_for_stall(port());
  EXPECT_TRUE(client.read_answer().body == pattern(kLarge));
  EXPECT_LT(client.read_answer().body.size(), kLarge);
}

TEST_F(Http2Test, APausedResponseGivesWayAloneWhenMemoryRunsShort) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  TestClient client(port());
  client.send(get("/file") + get("/held"));
  wait_for_files();
  for (int i = 0; i < 3; ++i) {
    wait_for_stall(port());
    server_->relieve();
  }
  EXPECT_TRUE(client.read_answer().body == pattern(kLarge));
  EXPECT_LT(client.read_answer().body.size(), kLarge);
}

TEST_F(Http2Test, AConnectionWhoseResponsesAreAllPausedGivesWayWhenTheServerIsFull) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  options.max_connections = 2;
  start(options);
  TestClient client(port());
  client.send(get("/file") + get("/memory"));
  wait_for_files();
  TestClient busy(port());
  busy.send(get("/never"));
  wait_for_slow();
  while (server_->connections() > 1) {
    try {
      ask(kHello);
    } catch (const std::runtime_error&) {
      // It may be refused without an answer.
    }
  }
  const auto cut = [&client] {
    try {
      return client.read_answer().body.size() < kLarge;
    } catch (const std::runtime_error&) {
      return true;
    }
  };
  EXPECT_TRUE(cut());
}

}  // namespace
}  // namespace coffer::http
