#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coffer::objects::s3 {

/// An HTTP server on the loopback that answers as a test tells it to. Safe from any thread.
class FakeStore {
 public:
  struct Request {
    std::string method;
    std::string target;
    std::map<std::string, std::string> headers;  ///< Their names are in lower case.
    std::string body;
  };
  /// The bytes that are sent, and what comes of the connection then.
  struct Reply {
    std::string bytes;
    enum class Then : std::uint8_t { keep, close, hang };
    Then then = Then::keep;  ///< `hang` sends nothing more until the client goes.
  };
  /// Called for each request, one at a time, with its number, which begins at 0.
  using Script = std::function<Reply(const Request&, std::size_t number)>;

  explicit FakeStore(Script script);
  /// Ends every connection.
  ~FakeStore();
  FakeStore(const FakeStore&) = delete;
  FakeStore& operator=(const FakeStore&) = delete;

  std::string url() const;
  std::vector<Request> requests() const;
  std::size_t connections() const;

 private:
  void accept_all();
  void serve(int socket);
  Reply reply_to(const Request& request);

  const Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<int> sockets_;
  std::vector<std::jthread> threads_;
  std::jthread acceptor_;
};

/// The bytes of an answer with a body and its length. `headers` are whole lines.
std::string http_answer(const std::string& status, const std::string& body,
                        const std::string& headers = "");

/// An answer of S3 that tells of an error.
std::string s3_error(const std::string& status, const std::string& code,
                     const std::string& headers = "");

}  // namespace coffer::objects::s3
