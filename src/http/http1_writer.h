#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/response_head.h"
#include "http/response_writer.h"
#include "http/transport.h"

namespace coffer::http {

/// Writes responses as HTTP/1.1 (RFC 9112), one after the other.
class Http1Writer final : public ResponseWriter {
 public:
  explicit Http1Writer(Transport& transport) : transport_(transport) {}

  /// Must be called before each response.
  void set_persistence(Persistence persistence) { persistence_ = persistence; }

  void begin_head(std::string& out, const Response& response) override {
    append_response_head(out, response, persistence_);
  }
  void end_head(std::string& out) override { out += "\r\n"; }
  StreamFraming framing() const override {
    return persistence_ == Persistence::close_http_1_0 ? StreamFraming::connection
                                                       : StreamFraming::chunks;
  }
  Task<Io> send(std::string_view bytes, bool more) override { return transport_.send(bytes, more); }
  Task<Io> send_file(int descriptor, std::uint64_t offset, std::uint64_t length) override {
    return transport_.send_file(descriptor, offset, length);
  }
  Task<Io> finish() override { co_return Io::done; }
  void cork(bool corked) override { transport_.cork(corked); }
  bool has_peer_left() override { return transport_.has_peer_left(); }
  void watch_peer(std::function<void()> left) override { transport_.watch_peer(std::move(left)); }
  void stop_watching_peer() override { transport_.stop_watching_peer(); }
  void reset_when_closed() override { transport_.reset_when_closed(); }
  void let_pause(bool may_pause) override { transport_.let_pause(may_pause); }
  std::optional<Instant> stalled_since() const override { return transport_.stalled_since(); }
  void cut() override { transport_.cut(); }
  bool is_cut() const override { return transport_.is_cut(); }
  bool frees_connection() const override { return true; }
  void cut_connection() override { transport_.cut(); }
  std::uint64_t bytes_sent() const override { return transport_.bytes_sent(); }

 private:
  Transport& transport_;
  Persistence persistence_ = Persistence::keep;
};

}  // namespace coffer::http
