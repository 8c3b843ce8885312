#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct nghttp2_session;

namespace coffer::http {

/// A client of HTTP/2 for tests that speak HTTP/1.1: sends their requests as streams and writes the
/// responses as HTTP/1.1 would have them, in the order of the requests. Knows neither sockets nor
/// requests that are wrong.
class Http2Translator {
 public:
  Http2Translator();

  /// Takes a part of a request of HTTP/1.1.
  void take_request(std::string_view text);
  /// Takes bytes of the server.
  void receive(std::string_view bytes);
  /// Returns bytes for the server.
  std::string take_output();
  /// Returns what is there of responses, as HTTP/1.1.
  std::string take_responses();
  /// Returns true if a part of a body waits for the server's window.
  bool has_unsent() const;
  /// Returns true if the response that is next was cut off.
  bool is_cut() const { return is_cut_; }

 private:
  struct Stream {
    std::string body;  ///< Not sent yet.
    bool has_whole_body = false;
    std::string response;
    std::string status;
    bool has_length = false;
    bool is_chunked = false;
    bool is_whole = false;
    bool is_closed = false;
  };
  struct Callbacks;
  struct Free {
    void operator()(nghttp2_session* session) const;
  };
  bool take_head();
  bool take_body();
  void begin_body(Stream& stream, bool ends);

  std::unique_ptr<nghttp2_session, Free> session_;
  std::map<std::int32_t, Stream> streams_;
  std::string text_;
  Stream* current_ = nullptr;  ///< Whose body is in the text.
  std::int32_t current_id_ = 0;
  std::size_t body_left_ = 0;
  bool body_is_chunked_ = false;
  bool is_cut_ = false;
};

}  // namespace coffer::http
