#include <cstdio>
#include <set>
#include <thread>

#include "http/testing/server_fixture.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, KeepsTheConnectionAndNamesEveryRequest) {
  start();
  TestClient client(port());
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    client.send(kHello);
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.body, "hello");
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.header("Date").size(), 29u);
    EXPECT_EQ(answer.header("Connection"), "");
    ids.insert(answer.header("X-Request-Id"));
  }
  EXPECT_EQ(ids.size(), 3u);
}

TEST(ServerBelowAPath, CutsItOffRequestsAndPutsItBeforeLocations) {
  Router router;
  router.add(Method::get, "/made", [](Request& request) -> Task<Response> {
    Response response;
    response.headers.emplace_back("Location", "/made/1");
    response.body = std::string(request.base_path);
    co_return response;
  });
  router.add(Method::get, "/elsewhere", [](Request&) -> Task<Response> {
    Response response;
    response.headers.emplace_back("Location", "https://example.org/");
    co_return response;
  });
  ServerOptions options;
  options.port = 0;
  options.base_path = "/a/b";
  Server server(options, router);
  ASSERT_TRUE(server.start());
  TestClient client(server.port());
  const auto ask = [&client](std::string path) {
    client.send(path.insert(0, "GET ").append(" HTTP/1.1\r\nHost: a\r\n\r\n"));
    return client.read_answer();
  };
  for (const auto path : {"/a/b/made", "/made"}) {
    const auto made = ask(path);
    EXPECT_EQ(made.body, "/a/b") << path;
    EXPECT_EQ(made.header("Location"), "/a/b/made/1") << path;
  }
  EXPECT_EQ(ask("/a/b/elsewhere").header("Location"), "https://example.org/");
  for (const auto wrong : {"/a/bmade", "/a/made", "/a/b//made", "/a/b/a/b/made", "/A/b/made"}) {
    EXPECT_EQ(ask(wrong).status, 404u) << wrong;
  }
  const auto top = ask("/a/b");
  EXPECT_EQ(top.status, 308u);
  EXPECT_EQ(top.header("Location"), "/a/b/");
}

TEST_F(ServerTest, EndsConnectionsWithTheirNextAnswerWhileItDrains) {
  start();
  TestClient kept(port());
  kept.send(kHello);
  EXPECT_EQ(kept.read_answer().header("Connection"), "");
  server_->drain();
  for (std::string connection; connection != "close";) {  // A thread may not have heard of it yet.
    TestClient later(port());
    later.send(kHello);
    const auto answer = later.read_answer();
    ASSERT_EQ(answer.status, 200u);
    connection = answer.header("Connection");
  }
  kept.send(kHello);
  const auto last = kept.read_answer();
  EXPECT_EQ(last.status, 200u);
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  start();
  TestClient client(port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
      "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "one");
  EXPECT_EQ(client.read_answer().body, "two");
  EXPECT_EQ(client.read_answer().body, "hello");
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, KeepsRequestsBehindAChunkedBodyThatCameInPieces) {
  start();
  TestClient client(port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 100u);
  client.send("3\r\ntwo\r\n0\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "two");
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, HandsOutManySmallChunksAtOnce) {
  start();
  std::string chunks;
  for (int i = 0; i < 100'000; ++i) chunks += "1\r\nx\r\n";
  const auto answer = ask("POST /reads HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
                          chunks + "0\r\n\r\n");
  const auto blank = answer.body.find(' ');
  EXPECT_EQ(answer.body.substr(blank + 1), "100000");
  EXPECT_LT(std::stoi(answer.body), 2000);
}

TEST_F(ServerTest, KeepsTheOrderOfChunksOfAllSizes) {
  start();
  const std::string content = pattern(200'000);
  std::string chunks;
  for (std::size_t at = 0, size = 1; at < content.size(); at += size, size = size * 7 % 20'011) {
    const std::string piece = content.substr(at, size);
    char length[20];
    std::snprintf(length, sizeof length, "%zx\r\n", piece.size());
    chunks += length + piece + "\r\n";
  }
  const auto answer = ask("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
                          chunks + "0\r\n\r\n");
  EXPECT_TRUE(answer.body == content);
}

TEST_F(ServerTest, ServesHttp10) {
  start();
  TestClient client(port());
  client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.read_answer().header("Connection"), "keep-alive");
  client.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_answer().header("Connection"), "close");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AnswersHeadLikeGetWithoutTheBody) {
  start();
  TestClient client(port());
  client.send("HEAD /small HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.header("Content-Length"), "1024");
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, SendsContinueWhenTheHandlerReads) {
  start();
  TestClient client(port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 100u);
  client.send("body");
  EXPECT_EQ(client.read_answer().body, "body");
}

TEST_F(ServerTest, AnswersWithoutContinueWhenTheHandlerDoesNotRead) {
  start();
  TestClient client(port());
  client.send(
      "POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 413u);
  EXPECT_EQ(answer.header("Connection"), "close");
  client.finish_sending();
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, LetsTheClientReadAnAnswerGivenBeforeTheBody) {
  start();
  TestClient client(port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n" +
              std::string(200'000, 'x'));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 413u);
  EXPECT_EQ(answer.header("Connection"), "close");
}

TEST_F(ServerTest, SkipsASmallBodyThatNobodyReads) {
  start();
  TestClient client(port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413u);
  client.send(std::string(5000, 'x') + std::string(kHello));
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, AnswersOtherMethodsAndPathsInTheEnvelope) {
  start();
  const auto wrong = ask("BREW /hello HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(wrong.status, 405u);
  EXPECT_EQ(wrong.header("Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(ask("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n").status, 404u);
  EXPECT_EQ(ask("GET http://b:80/hello?x HTTP/1.1\r\nHost: a\r\n\r\n").status, 200u);
  EXPECT_EQ(ask("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").status, 204u);
}

TEST_F(ServerTest, HidesWhatAHandlerThrew) {
  start();
  TestClient client(port());
  client.send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 500u);
  EXPECT_EQ(answer.body.find("secret"), std::string::npos);
  EXPECT_NE(answer.body.find(answer.header("X-Request-Id")), std::string::npos);
  client.send(kHello);
  EXPECT_EQ(client.read_answer().status, 200u);
}

TEST_F(ServerTest, SendsLargeContentByDescriptorAndWithout) {
  start();
  const std::string expected = pattern(5 * 1024 * 1024);
  for (const std::string path : {"/file", "/stream", "/memory"}) {
    TestClient client(port());
    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(client.read_answer().body == expected) << path;
    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nRange: bytes=1000000-2999999\r\n\r\n");
    EXPECT_TRUE(client.read_answer().body == expected.substr(1'000'000, 2'000'000)) << path;
    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nRange: bytes=0-0, 900000-1999999\r\n\r\n");
    const auto parts = client.read_answer();
    EXPECT_EQ(parts.status, 206u);
    EXPECT_NE(parts.body.find(expected.substr(900'000, 1'100'000) + "\r\n--"), std::string::npos);
  }
  EXPECT_TRUE(ask("GET /small HTTP/1.1\r\nHost: a\r\n\r\n").body == pattern(1024));
}

TEST_F(ServerTest, CutsTheConnectionWhenContentFailsInTheMiddle) {
  start();
  TestClient client(port());
  client.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200u);
  EXPECT_LT(answer.body.size(), 5u * 1024 * 1024);
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, CutsTheConnectionWhenTheRightToTheContentIsLost) {
  start();
  for (const std::string target : {"/file-lost", "/stream-lost"}) {
    TestClient client(port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200u) << target;
    EXPECT_GT(answer.body.size(), 256u * 1024) << target;
    EXPECT_LT(answer.body.size(), 5u * 1024 * 1024) << target;
    EXPECT_TRUE(client.is_closed()) << target;
  }
}

TEST_F(ServerTest, AnswersWithTheErrorWhenContentFailsAtOnce) {
  start();
  EXPECT_EQ(ask("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n").status, 502u);
}

TEST_F(ServerTest, ThatErrorTellsAllThatOthersTell) {
  start();
  const auto answer = ask("GET /v2/gone HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(answer.status, 502u);
  EXPECT_EQ(answer.header("Content-Type"), "application/problem+json");
  EXPECT_EQ(answer.header("Retry-After"), "7");
  EXPECT_TRUE(answer.body.contains(R"("code":"unavailable")")) << answer.body;
}

TEST_F(ServerTest, APersonSeesThatErrorAsAPage) {
  start();
  const auto answer = ask("GET /v2/gone HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n");
  EXPECT_EQ(answer.status, 502u);
  EXPECT_EQ(answer.header("Retry-After"), "7");
  EXPECT_EQ(answer.body, "a page");
}

TEST_F(ServerTest, LetsGoOfTheContentWhenAClientVanishes) {
  ServerOptions options;
  options.stall_timeout = 1h;
  start(options);
  for (const std::string path : {"/file", "/stream", "/memory"}) {
    TestClient client(port());
    // Far more than the sockets hold: the server is in the middle of it when the client goes.
    for (int i = 0; i < 4; ++i) client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    wait_for_files();
  }
  EXPECT_TRUE(server_->stop(30s));
  EXPECT_EQ(contents_alive(), 0);
}

TEST_F(ServerTest, RefusesAPortThatIsTaken) {
  start();
  ServerOptions options;
  options.port = server_->port();
  Server second(options, router_);
  const auto started = second.start();
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().message.find("127.0.0.1"), std::string::npos);
}

TEST_F(ServerTest, LetsPagesOfKnownOriginsIn) {
  ServerOptions options;
  options.cors_origins = {"https://a.example"};
  start(options);
  const auto preflight =
      ask("OPTIONS /hello HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n"
          "Access-Control-Request-Method: GET\r\n\r\n");
  EXPECT_EQ(preflight.status, 204u);
  EXPECT_NE(preflight.header("Access-Control-Allow-Headers").find("X-API-Key"), std::string::npos);
  const auto known = ask("GET /nowhere HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n");
  EXPECT_EQ(known.header("Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(known.header("Vary"), "Origin");
  const auto other = ask("GET /hello HTTP/1.1\r\nHost: a\r\nOrigin: https://b.example\r\n\r\n");
  EXPECT_EQ(other.header("Access-Control-Allow-Origin"), "");
}

}  // namespace
}  // namespace coffer::http
