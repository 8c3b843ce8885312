#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace coffer::http {

/// A blocking client for tests: sends bytes as they are and reads answers.
class TestClient {
 public:
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
  /// The received bytes after the answers that were read.
  std::string take_received() { return std::exchange(buffer_, {}); }
  /// True when the server has closed the connection in order, without a further byte.
  bool is_closed();

 private:
  bool fill();
  bool fill_up_to(std::size_t size);
  void read_chunks(Answer& answer);
  int socket_;
  std::string buffer_;
};

}  // namespace coffer::http
