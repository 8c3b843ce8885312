#include <thread>

#include "http/testing/server_fixture.h"
#include "http/testing/stream_handlers.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

/// What the connection's end has behind the head.
std::string all_until_closed(TestClient& client) {
  std::string all;
  while (!client.is_closed()) all += client.take_received();
  return all;
}

void wait_for_no_streams() {
  while (streams_alive() > 0) std::this_thread::yield();
}

TEST_F(ServerTest, SendsAStreamInChunksAndKeepsTheConnection) {
  start();
  TestClient client(port());
  for (int i = 0; i < 2; ++i) {
    client.send("GET /pieces HTTP/1.1\r\nHost: a\r\n\r\n");
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
    EXPECT_EQ(answer.header("Content-Length"), "");
    EXPECT_EQ(answer.header("Connection"), "");
    EXPECT_TRUE(answer.is_whole);
    EXPECT_TRUE(answer.body == pattern(2 * 1024 * 1024));
  }
  client.send("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto nothing = client.read_answer();
  EXPECT_TRUE(nothing.is_whole);
  EXPECT_EQ(nothing.body, "");
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
  EXPECT_EQ(streams_alive(), 0);
}

TEST_F(ServerTest, EndsAStreamForHttp10WithTheConnection) {
  start();
  for (const std::string keep : {"", "Connection: keep-alive\r\n"}) {
    TestClient client(port());
    client.send("GET /pieces HTTP/1.0\r\n" + keep + "\r\n");
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.header("Transfer-Encoding"), "");
    EXPECT_EQ(answer.header("Content-Length"), "");
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(all_until_closed(client) == pattern(2 * 1024 * 1024));
  }
}

TEST_F(ServerTest, EndsTheConnectionBehindAStreamWhereTheClientAsksForThat) {
  start();
  TestClient client(port());
  client.send("GET /pieces HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
  EXPECT_EQ(answer.header("Connection"), "close");
  EXPECT_TRUE(answer.is_whole);
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AsksNoStreamForAnythingForHead) {
  start();
  TestClient client(port());
  const int before = pieces_made();
  client.send("HEAD /endless HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
  client.send("HEAD /endless HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).header("Transfer-Encoding"), "");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(pieces_made(), before);
}

TEST_F(ServerTest, LeavesOutTheLastChunkOfAStreamThatFails) {
  start();
  TestClient client(port());
  client.send("GET /torn HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.body, "some of it");
  EXPECT_FALSE(answer.is_whole);
}

TEST_F(ServerTest, ResetsTheConnectionOfAStreamForHttp10ThatFails) {
  start();
  TestClient client(port());
  client.send("GET /torn HTTP/1.0\r\n\r\n");
  EXPECT_THROW(
      {
        client.read_answer();
        all_until_closed(client);
      },
      std::runtime_error);
}

TEST_F(ServerTest, AnswersWithTheErrorWhenAStreamFailsAtOnce) {
  start();
  TestClient client(port());
  client.send("GET /torn-at-once HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 502u);
  EXPECT_EQ(answer.header("Transfer-Encoding"), "");
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, AsksAStreamForNoMoreThanTheClientTakes) {
  ServerOptions options;
  options.stall_timeout = 1h;
  start(options);
  const int before = pieces_made();
  {
    TestClient client(port());
    client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
    // What fits into the sockets is made, and then no more while the client does not read.
    int last = -1;
    for (int same = 0; same < 20;) {
      std::this_thread::sleep_for(10ms);
      same = pieces_made() == last ? same + 1 : 0;
      last = pieces_made();
      ASSERT_LT(last - before, 1'000);
    }
  }
  wait_for_no_streams();
}

TEST_F(ServerTest, LetsGoOfAStreamThatHasNothingYetWhenTheClientLeaves) {
  start();
  {
    TestClient client(port());
    client.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n");
    while (streams_alive() == 0) std::this_thread::yield();
  }
  wait_for_no_streams();
}

TEST_F(ServerTest, EndsAStreamThatWaitsLongAsSoonAsTheClientLeaves) {
  ServerOptions options;
  options.stall_timeout = 1h;
  options.idle_timeout = 1h;
  start(options);
  {
    TestClient client(port());
    client.send("GET /lasting HTTP/1.1\r\nHost: a\r\n\r\n");
    while (streams_alive() == 0) std::this_thread::yield();
  }
  wait_for_no_streams();
}

TEST_F(ServerTest, EndsAStreamThatWaitsLongInOrderWhenItStops) {
  start();
  TestClient client(port());
  client.send("GET /lasting HTTP/1.1\r\nHost: a\r\n\r\n");
  TestClient other(port());
  other.send("GET /lasting HTTP/1.0\r\n\r\n");
  while (streams_alive() < 2) std::this_thread::yield();
  EXPECT_TRUE(server_->stop(1h));
  EXPECT_EQ(streams_alive(), 0);
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.body, "begun");
  EXPECT_TRUE(answer.is_whole);
  EXPECT_EQ(other.read_answer().status, 200u);
  EXPECT_EQ(all_until_closed(other), "begun");
}

TEST_F(ServerTest, EndsEndlessStreamsWhenItStops) {
  start();
  TestClient waiting(port());
  waiting.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n");
  TestClient endless(port());
  endless.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
  while (streams_alive() < 2) std::this_thread::yield();
  server_->stop(100ms);
  EXPECT_EQ(streams_alive(), 0);
}

}  // namespace
}  // namespace coffer::http
