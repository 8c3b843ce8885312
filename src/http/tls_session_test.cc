#include "http/tls_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/testing/scratch_folder.h"
#include "http/testing/tls_files.h"

namespace coffer::http {
namespace {

constexpr std::size_t kLeastBufferBytes = 32 * 1024;  // A record to read, and one to write.

struct Freeing {
  void operator()(SSL* session) const { SSL_free(session); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

/// A session and its client, who have shaken hands.
class TlsSessionTest : public testing::Test {
 protected:
  TlsSessionTest() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_.data()), 0);
    session_.emplace(*context_, sockets_[0]);
    client_.reset(SSL_new(client_context_.get()));
    SSL_set_fd(client_.get(), sockets_[1]);
    SSL_set_connect_state(client_.get());
    bool is_done = false;
    for (int turns = 0; turns < 10 && !is_done; ++turns) {
      const bool is_client_done = SSL_do_handshake(client_.get()) == 1;
      is_done = session_->shake_hands().state == TlsStep::State::done && is_client_done;
    }
    EXPECT_TRUE(is_done);
  }
  ~TlsSessionTest() override {
    for (const int socket : sockets_) ::close(socket);
  }

  void say(const std::string& text) {
    EXPECT_EQ(SSL_write(client_.get(), text.data(), static_cast<int>(text.size())),
              static_cast<int>(text.size()));
  }
  std::string hear(std::size_t most = 100) {
    std::string text(most, 0);
    text.resize(session_->read(text).bytes);
    return text;
  }

  const ScratchFolder folder_;
  const std::shared_ptr<const TlsContext> context_ =
      TlsContext::make(make_tls_files(folder_.path())).value();
  const std::unique_ptr<SSL_CTX, Freeing> client_context_{SSL_CTX_new(TLS_client_method())};
  std::array<int, 2> sockets_{};
  std::optional<TlsSession> session_;
  std::unique_ptr<SSL, Freeing> client_;
};

TEST_F(TlsSessionTest, ItsBuffersAreFreeOnceNothingGoesThrough) {
  say("one");
  EXPECT_EQ(hear(), "one");
  EXPECT_EQ(session_->write("answer").bytes, 6u);
  session_->rest();
  const std::size_t busy = ::mallinfo2().uordblks;
  session_->rest();
  EXPECT_LE(::mallinfo2().uordblks + kLeastBufferBytes, busy);
  say("two");
  EXPECT_EQ(hear(), "two");
  EXPECT_EQ(session_->write("answer").bytes, 6u);
}

TEST_F(TlsSessionTest, WhatIsInABufferStaysThere) {
  say("first, second");
  EXPECT_EQ(hear(7), "first, ");
  session_->rest();
  session_->rest();
  EXPECT_EQ(hear(), "second");
}

}  // namespace
}  // namespace coffer::http
