#include <openssl/ssl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "base/testing/scratch_folder.h"
#include "http/testing/server_fixture.h"
#include "http/testing/stream_handlers.h"
#include "http/testing/tls_files.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

/// Servers and clients of these tests speak TLS.
class TlsTest : public ServerTest {
 protected:
  TlsTest() { ::setenv("COFFER_TEST_TLS", "1", 1); }
};

TEST_F(TlsTest, AnswersOneRequestAfterTheOther) {
  start();
  TestClient client(port());
  for (int i = 0; i < 3; ++i) {
    client.send(kHello);
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.body, "hello");
  }
}

TEST_F(TlsTest, SendsFilesAndMemoryWhole) {
  start();
  for (const std::string path : {"/file", "/stream", "/memory", "/text"}) {
    const auto answer = ask("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(answer.status, 200u) << path;
    EXPECT_EQ(answer.body, pattern(5 * 1024 * 1024)) << path;
  }
}

TEST_F(TlsTest, TakesBodiesWhole) {
  start();
  const std::string body = pattern(3'000'001);
  const auto answer =
      ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n\r\n" + body);
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.body, body);
}

TEST_F(TlsTest, ARenewedCertificateServesNewConnectionsAndOldOnesGoOn) {
  const ScratchFolder folder;
  TlsSource source(TlsContext::make(make_tls_files(folder.path(), "first")).value());
  ServerOptions options;
  options.tls = {.port = 0, .source = &source};
  start(options);
  TestClient before(port());
  before.send(kHello);
  EXPECT_EQ(before.read_answer().status, 200u);
  const std::string first = before.certificate();
  source.change(TlsContext::make(make_tls_files(folder.path(), "second")).value());
  TestClient after(port());
  after.send(kHello);
  EXPECT_EQ(after.read_answer().status, 200u);
  EXPECT_NE(after.certificate(), first);
  before.send(kHello);
  EXPECT_EQ(before.read_answer().status, 200u);
}

TEST_F(TlsTest, OnlyAConnectionThatEndsWholeIsToldSo) {
  start();
  TestClient whole(port());
  whole.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(whole.read_answer().status, 200u);
  EXPECT_TRUE(whole.is_closed());
  EXPECT_TRUE(whole.has_ended_tls());
  TestClient broken(port());
  broken.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(broken.read_answer().status, 200u);
  EXPECT_FALSE(broken.has_ended_tls());
}

/// The end of TLS may come before that of the connection, and in place of it.
TEST_F(TlsTest, AStreamThatWaitsLongEndsWhereTheClientEndsTls) {
  ServerOptions options;
  options.stall_timeout = options.idle_timeout = 1h;
  start(options);
  TestClient client(port());
  client.send("GET /lasting HTTP/1.1\r\nHost: a\r\n\r\n");
  while (streams_alive() == 0) std::this_thread::yield();
  client.end_tls();
  while (streams_alive() > 0) std::this_thread::yield();
}

TEST_F(TlsTest, AStreamThatWaitsLongEndsWhereTheEndOfTlsCameWithItsRequest) {
  ServerOptions options;
  options.stall_timeout = options.idle_timeout = 1h;
  start(options);
  TestClient client(port());
  client.end_tls_with("GET /lasting HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 200u);  // Which ends, or this waits for it.
  while (streams_alive() > 0) std::this_thread::yield();
}

TEST_F(TlsTest, TheOtherPortSpeaksNone) {
  start();
  ::unsetenv("COFFER_TEST_TLS");
  EXPECT_EQ(ask(kHello).body, "hello");
}

TEST_F(TlsTest, ARequestWithoutTlsIsToldSo) {
  start();
  ::unsetenv("COFFER_TEST_TLS");
  TestClient client(server_->tls_port());
  client.send(kHello);
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 400u);
  EXPECT_EQ(answer.body, "This port speaks TLS: begin the address with https://.\r\n");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(TlsTest, OneThatNeverShakesHandsIsLeftInTime) {
  ServerOptions options;
  options.header_timeout = 50ms;
  start(options);
  ::unsetenv("COFFER_TEST_TLS");
  TestClient silent(server_->tls_port());
  TestClient garbage(server_->tls_port());
  garbage.send("\x16\x03\x01\x02");
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(garbage.is_closed());
}

}  // namespace
}  // namespace coffer::http
