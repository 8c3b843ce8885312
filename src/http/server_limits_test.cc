#include <future>
#include <thread>

#include "http/server_fixture.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, CutsOffSlowAndIdleClients) {
  ServerOptions options;
  options.header_timeout = options.idle_timeout = options.stall_timeout = 50ms;
  start(options);
  TestClient slow_head(server_->port());
  slow_head.send("GET /hel");
  EXPECT_EQ(slow_head.read_answer().status, 408u);
  TestClient idle(server_->port());
  EXPECT_TRUE(idle.is_closed());
  EXPECT_EQ(ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab").status, 408u);
}

TEST_F(ServerTest, CutsOffAClientThatDoesNotReadItsDownload) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  TestClient client(server_->port());
  for (int i = 0; i < 4; ++i) client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_for_files();
  // The four downloads are far more than the sockets hold: only the cut lets the server be empty.
  EXPECT_TRUE(server_->stop(1h));
}

TEST_F(ServerTest, TurnsAwayTooManyConnections) {
  ServerOptions options;
  options.max_connections = 1;
  start(options);
  TestClient first(server_->port());
  first.send(kHello);
  EXPECT_EQ(first.read_answer().status, 200u);
  EXPECT_EQ(ask(kHello).status, 503u);
}

TEST_F(ServerTest, LetsRunningRequestsFinishWhenItStops) {
  start();
  TestClient idle(server_->port());
  idle.send(kHello);
  idle.read_answer();
  TestClient client(server_->port());
  client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_for_slow();
  EXPECT_TRUE(server_->stop(30s));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.body, "slow");
  EXPECT_EQ(answer.header("Connection"), "close");
  EXPECT_TRUE(idle.is_closed());
}

TEST_F(ServerTest, CutsRequestsThatDoNotFinish) {
  start();
  TestClient client(server_->port());
  client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_for_slow();
  EXPECT_FALSE(server_->stop(10ms));
  EXPECT_EQ(client.read_answer().status, 0u);
}

TEST_F(ServerTest, CountsARequestWhoseBodyIsAwaitedAsCut) {
  start();
  TestClient client(server_->port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413u);
  EXPECT_FALSE(server_->stop(10ms));
}

}  // namespace
}  // namespace coffer::http
