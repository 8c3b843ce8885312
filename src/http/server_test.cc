#include "http/server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <future>
#include <set>
#include <thread>

#include "http/envelope.h"
#include "http/serve_content.h"
#include "http/test_client.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>((i * 31 + i / 251) & 0xFF);
  return text;
}

std::atomic<int> contents_alive{0};

/// A content in memory, also as a descriptor, or one that fails or ends behind `broken_at`.
class TestContent final : public Content {
 public:
  TestContent(std::string bytes, bool with_descriptor, std::uint64_t broken_at = ~0ull)
      : bytes_(std::move(bytes)), broken_at_(broken_at) {
    ++contents_alive;
    if (!with_descriptor) return;
    descriptor_ = ::memfd_create("content", MFD_CLOEXEC);
    if (::write(descriptor_, bytes_.data(), bytes_.size()) < 0) throw std::runtime_error("write");
  }
  ~TestContent() override {
    if (descriptor_ >= 0) ::close(descriptor_);
    --contents_alive;
  }
  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= broken_at_) co_return fail(ErrorCode::unavailable, "The disk is gone.");
    co_return copy(offset, out);
  }
  std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) override {
    if (descriptor_ < 0) return std::nullopt;
    return copy(offset, out);
  }
  std::optional<int> descriptor() const override {
    return descriptor_ < 0 ? std::nullopt : std::optional(descriptor_);
  }
  Task<void> prefetch(std::uint64_t, std::uint64_t) override { co_return; }

 private:
  std::size_t copy(std::uint64_t offset, std::span<std::byte> out) const {
    const auto part = std::string_view(bytes_).substr(std::min(offset, bytes_.size()), out.size());
    std::memcpy(out.data(), part.data(), part.size());
    return part.size();
  }
  std::string bytes_;
  std::uint64_t broken_at_;
  int descriptor_ = -1;
};

std::atomic<int> slow_started{0};
std::atomic<int> files_started{0};

Response text_response(std::string text) {
  Response response;
  response.headers.emplace_back("Content-Type", "text/plain");
  response.body = std::move(text);
  return response;
}

Task<Response> hello(Request&) {
  co_return text_response("hello");
}

Task<Response> echo(Request& request) {
  std::string all;
  for (;;) {
    const auto bytes = co_await request.body->read();
    if (!bytes) co_return error_response(bytes.error());
    if (bytes->empty()) break;
    all.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  co_return text_response(std::move(all));
}

Task<Response> refuse_early(Request&) {
  co_return error_response(413, "Too large.");
}

Task<Response> broken(Request&) {
  throw std::runtime_error("secret internals");
  co_return Response();
}

Task<Response> serve(Request& request, bool with_descriptor, std::size_t size,
                     std::uint64_t broken_at) {
  ++files_started;
  const ContentInfo info{size, "\"e\"", Timestamp{}, "text/plain", "attachment"};
  auto content = std::make_shared<TestContent>(pattern(size), with_descriptor, broken_at);
  co_return serve_content(request, info, std::move(content));
}

Task<Response> slow(Request&) {
  ++slow_started;
  asio::steady_timer timer(co_await asio::this_coro::executor, 300ms);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_response("slow");
}

Task<Response> never(Request&) {
  ++slow_started;
  asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
  co_await timer.async_wait(asio::use_awaitable);
  co_return text_response("never");
}

Router make_router() {
  constexpr std::size_t kLarge = 5 * 1024 * 1024;
  Router router;
  router.add(Method::get, "/hello", hello);
  router.add(Method::post, "/echo", echo);
  router.add(Method::post, "/early", refuse_early);
  router.add(Method::get, "/broken", broken);
  router.add(Method::get, "/slow", slow);
  router.add(Method::get, "/never", never);
  router.add(Method::get, "/file", [](Request& r) { return serve(r, true, kLarge, ~0ull); });
  router.add(Method::get, "/stream", [](Request& r) { return serve(r, false, kLarge, ~0ull); });
  router.add(Method::get, "/small", [](Request& r) { return serve(r, true, 1024, ~0ull); });
  router.add(Method::get, "/cut", [](Request& r) { return serve(r, false, kLarge, 1'000'000); });
  router.add(Method::get, "/gone", [](Request& r) { return serve(r, false, kLarge, 0); });
  return router;
}

class ServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    options.port = 0;
    options.threads = 2;
    slow_started = files_started = 0;
    server_.emplace(std::move(options), router_);
    const auto started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
  }
  TestClient::Answer ask(std::string_view bytes, bool without_body = false) {
    TestClient client(server_->port());
    client.send(bytes);
    return client.read_answer(without_body);
  }
  void wait_for_files() {
    while (files_started == 0) std::this_thread::yield();
    files_started = 0;
  }
  void wait_for_slow() {
    while (slow_started == 0) std::this_thread::yield();
    slow_started = 0;
  }
  const Router router_ = make_router();
  std::optional<Server> server_;
};

constexpr std::string_view kHello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

TEST_F(ServerTest, KeepsTheConnectionAndNamesEveryRequest) {
  start();
  TestClient client(server_->port());
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

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  start();
  TestClient client(server_->port());
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
  TestClient client(server_->port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 100u);
  client.send("3\r\ntwo\r\n0\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "two");
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, ServesHttp10) {
  start();
  TestClient client(server_->port());
  client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.read_answer().header("Connection"), "keep-alive");
  client.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_answer().header("Connection"), "close");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AnswersHeadLikeGetWithoutTheBody) {
  start();
  TestClient client(server_->port());
  client.send("HEAD /small HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer(true);
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.header("Content-Length"), "1024");
  client.send(kHello);
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST_F(ServerTest, SendsContinueWhenTheHandlerReads) {
  start();
  TestClient client(server_->port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 100u);
  client.send("body");
  EXPECT_EQ(client.read_answer().body, "body");
}

TEST_F(ServerTest, AnswersWithoutContinueWhenTheHandlerDoesNotRead) {
  start();
  TestClient client(server_->port());
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
  TestClient client(server_->port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n" +
              std::string(200'000, 'x'));
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 413u);
  EXPECT_EQ(answer.header("Connection"), "close");
}

TEST_F(ServerTest, SkipsASmallBodyThatNobodyReads) {
  start();
  TestClient client(server_->port());
  client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413u);
  client.send(std::string(5000, 'x') + std::string(kHello));
  EXPECT_EQ(client.read_answer().body, "hello");
}

struct BadRequest {
  const char* text;
  unsigned status = 400;
};

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
    TestClient client(server_->port());
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
    TestClient client(server_->port());
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

TEST_F(ServerTest, RefusesTooLargeAHead) {
  start();
  EXPECT_EQ(ask("GET /hello HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x')).status, 431u);
  EXPECT_EQ(ask("GET /" + std::string(20'000, 'x')).status, 431u);
  EXPECT_EQ(
      ask("GET /hello HTTP/1.1\r\nHost: a\r\nX: " + std::string(15'000, 'x') + "\r\n\r\n").status,
      200u);
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
  TestClient client(server_->port());
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
  for (const std::string path : {"/file", "/stream"}) {
    TestClient client(server_->port());
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
  TestClient client(server_->port());
  client.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200u);
  EXPECT_LT(answer.body.size(), 5u * 1024 * 1024);
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ServerTest, AnswersWithTheErrorWhenContentFailsAtOnce) {
  start();
  EXPECT_EQ(ask("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n").status, 502u);
}

TEST_F(ServerTest, LetsGoOfTheContentWhenAClientVanishes) {
  ServerOptions options;
  options.stall_timeout = 1h;
  start(options);
  for (const std::string path : {"/file", "/stream"}) {
    TestClient client(server_->port());
    // Far more than the sockets hold: the server is in the middle of it when the client goes.
    for (int i = 0; i < 4; ++i) client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    wait_for_files();
  }
  EXPECT_TRUE(server_->stop(30s));
  EXPECT_EQ(contents_alive, 0);
}

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
