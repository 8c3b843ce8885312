#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/testing/http2_translator.h"

struct ssl_st;

namespace coffer::http {

/// True if servers and clients of tests speak TLS.
bool tests_tls();

/// True if they speak HTTP/2, then by TLS.
bool tests_http2();

/// A blocking client for tests: sends bytes as they are and reads answers.
class TestClient {
 public:
  /// Speaks TLS if the environment has COFFER_TEST_TLS, and HTTP/2 if it has COFFER_TEST_HTTP2: the
  /// same tests then look at all of them.
  explicit TestClient(std::uint16_t port);
  explicit TestClient(const std::filesystem::path& socket);
  ~TestClient();
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  /// False if the server takes no more.
  bool send(std::string_view bytes);
  void finish_sending();

  struct Answer {
    unsigned status = 0;  ///< 0 when the connection ended instead.
    std::string head;
    std::string body;
    bool is_whole = true;  ///< False for a chunked body without its last chunk.
    /// The value of a header; empty where it is missing.
    std::string header(std::string_view name) const;
  };
  /// The next answer; `without_body` for one to a HEAD.
  Answer read_answer(bool without_body = false);
  /// Tells the server that nothing more comes (close_notify), and keeps the connection.
  void end_tls();
  /// The same, in one packet with the bytes before it.
  void end_tls_with(std::string_view bytes);
  /// True if the server has told that it has sent all (close_notify).
  bool has_ended_tls() const;
  /// The server's certificate, as its bytes; empty without TLS.
  std::string certificate() const;
  /// Drops what the server has sent, without waiting for more.
  void take_some();
  /// The received bytes after the answers that were read.
  std::string take_received() { return std::exchange(buffer_, {}); }
  /// True when the server has closed the connection in order, without a further byte.
  bool is_closed();

 private:
  bool fill();
  bool fill_up_to(std::size_t size);
  void read_chunks(Answer& answer);
  void begin_tls();
  bool send_raw(std::string_view bytes);
  bool send_by_http2(std::string_view bytes);
  int socket_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> tls_;
  std::optional<Http2Translator> http2_;
  std::string buffer_;
};

}  // namespace coffer::http
