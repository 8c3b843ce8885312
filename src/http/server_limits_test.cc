#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <stdexcept>
#include <thread>

#include "http/testing/server_fixture.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, CutsOffSlowAndIdleClients) {
  ServerOptions options;
  options.header_timeout = options.idle_timeout = options.stall_timeout = 50ms;
  start(options);
  TestClient slow_head(port());
  slow_head.send("GET /hel");
  EXPECT_EQ(slow_head.read_answer().status, 408u);
  TestClient idle(port());
  EXPECT_TRUE(idle.is_closed());
  EXPECT_EQ(ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab").status, 408u);
}

constexpr int kAnswers = 4;

/// Waits until it is so; false if it takes too long.
bool soon(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Asks for far more than the sockets hold, so that the server waits for the client.
void ask_for_much(TestClient& client, std::string_view path,
                  std::string_view address = "10.0.0.1") {
  const std::string head = "GET " + std::string(path) +
                           " HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + std::string(address) +
                           "\r\n\r\n";
  for (int i = 0; i < kAnswers; ++i) client.send(head);
}

int count_whole(TestClient& client) {
  int whole = 0;
  try {
    while (whole < kAnswers && client.read_answer().body.size() == 5 * 1024 * 1024) ++whole;
  } catch (const std::runtime_error&) {
    // A connection that is cut may be reset.
  }
  return whole;
}

/// Waits until the server has given up a body for which it has waited longer than for the answers
/// that other clients have not taken.
void wait_for_stall(std::uint16_t port) {
  for (int i = 0; i < 3; ++i) {
    TestClient slow(port);
    slow.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
    EXPECT_EQ(slow.read_answer().status, 408u);
  }
}

TEST_F(ServerTest, CutsOffAClientThatDoesNotReadWhatNobodyPauses) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  options.idle_timeout = 50ms;  // Of HTTP/2, only its streams are cut at first.
  start(options);
  TestClient client(port());
  ask_for_much(client, "/text");
  wait_for_files();
  // The client takes nothing: only the cut ends its connection.
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
  EXPECT_LT(count_whole(client), kAnswers);
}

TEST_F(ServerTest, ADownloadThatIsPausedGoesOn) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  for (const std::string_view path : {"/file", "/stream", "/memory"}) {
    TestClient client(port());
    ask_for_much(client, path);
    wait_for_files();
    wait_for_stall(port());
    EXPECT_EQ(count_whole(client), kAnswers) << path;
  }
}

TEST_F(ServerTest, APauseEndsWhenTheServerStops) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  TestClient client(port());
  ask_for_much(client, "/file");
  wait_for_files();
  wait_for_stall(port());
  EXPECT_TRUE(server_->stop(1h));
}

TEST_F(ServerTest, APausedReaderGivesWayWhenTheServerIsFull) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  options.max_connections = 1;
  start(options);
  TestClient client(port());
  ask_for_much(client, "/file");
  wait_for_files();
  // The client takes nothing: only the cut ends its connection. One that was just refused may give
  // way before it.
  EXPECT_TRUE(soon([&] {
    if (server_->connections() > 0) ask(kHello);
    return server_->connections() == 0;
  }));
  EXPECT_LT(count_whole(client), kAnswers);
}

TEST_F(ServerTest, OfThoseWhoPauseTheNetworkWithMostGivesWay) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  options.max_connections = 4;
  options.threads = 1;
  options.trusted_proxies = TrustedProxies::parse({"127.0.0.1"}).value();
  const std::vector<std::string> networks[] = {{"10.0.0.2", "10.0.0.2"},
                                               {"2001:db8::1", "2001:db8::2"}};
  for (const auto& addresses : networks) {
    start(options);
    TestClient longest(port());
    ask_for_much(longest, "/file");
    wait_for_files();
    std::list<TestClient> others;
    for (const std::string& address : addresses) {
      others.emplace_back(port());
      ask_for_much(others.back(), "/file", address);
      wait_for_files();
      wait_for_stall(port());
    }
    // A pause begins anew when the socket takes a little more, which a busy machine's may do late.
    wait_for_stall(port());
    wait_for_stall(port());
    // One that was just given up would be the fourth.
    EXPECT_TRUE(soon([&] { return server_->connections() <= 3; }));
    TestClient last(port());
    last.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
    wait_for_slow();
    EXPECT_EQ(ask(kHello).status, 200u);
    EXPECT_EQ(count_whole(longest), kAnswers) << addresses[0];
    // Which of the two has paused longer is the sockets' matter: they may take a little more.
    const auto is_whole = [](TestClient& client) { return count_whole(client) == kAnswers; };
    EXPECT_EQ(std::ranges::count_if(others, is_whole), 1) << addresses[0];
  }
}

TEST_F(ServerTest, WhoPausesWhatHoldsMemoryGivesWayWhenItRunsShort) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  TestClient file(port());
  ask_for_much(file, "/file");
  wait_for_files();
  TestClient held(port());
  ask_for_much(held, "/held");
  wait_for_files();
  // Until its pause is long enough.
  EXPECT_TRUE(soon([&] {
    if (server_->connections() > 1) server_->relieve();
    return server_->connections() <= 1;
  }));
  EXPECT_LT(count_whole(held), kAnswers);
  EXPECT_EQ(count_whole(file), kAnswers);
}

TEST_F(ServerTest, GuestsOfOneAccountGiveWayToNoOthers) {
  ServerOptions options;
  options.stall_timeout = 50ms;
  start(options);
  std::list<TestClient> guests;
  TestClient other(port());
  ask_for_much(other, "/held");
  wait_for_files();
  for (int i = 0; i < 2; ++i) {
    ask_for_much(guests.emplace_back(port()), "/guest");
    wait_for_files();
  }
  wait_for_stall(port());
  server_->relieve_guests_of("bob");
  EXPECT_TRUE(soon([&] {
    if (server_->connections() > 1) server_->relieve_guests_of("ann");
    return server_->connections() <= 1;
  }));
  for (TestClient& guest : guests) EXPECT_LT(count_whole(guest), kAnswers);
  EXPECT_EQ(count_whole(other), kAnswers);
}

TEST_F(ServerTest, TurnsAwayTooManyConnectionsWithRequests) {
  ServerOptions options;
  options.max_connections = 1;
  start(options);
  TestClient first(port());
  first.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_for_slow();
  EXPECT_EQ(ask(kHello).status, 503u);
}

TEST_F(ServerTest, ConnectionsWithoutARequestGiveWayTheLongestWaitingFirst) {
  ServerOptions options;
  options.max_connections = 2;
  options.threads = 1;
  start(options);
  TestClient silent(port());
  TestClient kept(port());
  kept.send(kHello);
  EXPECT_EQ(kept.read_answer().status, 200u);
  EXPECT_EQ(ask(kHello).status, 200u);
  EXPECT_TRUE(silent.is_closed());
  kept.send(kHello);
  EXPECT_EQ(kept.read_answer().status, 200u);
}

TEST_F(ServerTest, AConnectionOfAnotherThreadGivesWayToo) {
  ServerOptions options;
  options.max_connections = 4;
  start(options);
  // Which thread gets which connection is for the system to say: some pairs cross.
  for (int round = 0; round < 5; ++round) {
    std::list<TestClient> silent;
    for (int i = 0; i < 4; ++i) silent.emplace_back(port());
    for (int i = 0; i < 8; ++i) EXPECT_EQ(ask(kHello).status, 200u);
  }
}

TEST_F(ServerTest, LetsRunningRequestsFinishWhenItStops) {
  start();
  TestClient idle(port());
  idle.send(kHello);
  idle.read_answer();
  TestClient client(port());
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
  TestClient client(port());
  client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_for_slow();
  EXPECT_FALSE(server_->stop(10ms));
  EXPECT_EQ(client.read_answer().status, 0u);
}

TEST_F(ServerTest, DropsNoMoreOfABodyThanItsLimitAfterAnAnswer) {
  ServerOptions options;
  options.drain_limit_bytes = 1024 * 1024;
  start(options);
  TestClient client(port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  // Far more than limit and sockets hold: it comes to an end only because the server closes.
  const std::string piece(1024 * 1024, 'x');
  int pieces = 0;
  while (pieces < 64 && client.send(piece)) ++pieces;
  EXPECT_LT(pieces, 64);
}

TEST_F(ServerTest, CutsOffABodyThatIsSlowerThanTheLeastRate) {
  ServerOptions options;
  options.min_rate_bytes = 1'000'000'000'000;
  options.min_rate_window = 0ms;  // The first byte decides.
  start(options);
  TestClient client(port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 100u);
  client.send("x");
  EXPECT_EQ(client.read_answer().status, 408u);
}

TEST_F(ServerTest, CountsARequestWhoseBodyIsAwaitedAsCut) {
  start();
  TestClient client(port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413u);
  EXPECT_FALSE(server_->stop(10ms));
}

}  // namespace
}  // namespace coffer::http
