#pragma once

#include <cstdint>
#include <optional>

#include "http/chunk_decoder.h"
#include "http/head_parser.h"
#include "http/input_buffer.h"
#include "http/request.h"
#include "http/transport.h"

namespace coffer::http {

/// The body of one request on a connection: first what arrived with the head and stands in `input`,
/// then what the transport brings.
class BodyReader final : public Body {
 public:
  BodyReader(Transport& transport, InputBuffer& input, const Framing& framing);

  std::optional<std::uint64_t> length() const override;
  Task<Result<std::span<const std::byte>>> read() override;
  void interrupt() override { transport_.cut(); }

  /// What `read` has given.
  std::uint64_t bytes_read() const { return bytes_read_; }
  bool is_finished() const { return finished_; }
  bool has_stalled() const { return error_ && error_->code == ErrorCode::timed_out; }
  bool is_broken() const { return error_.has_value(); }
  /// Drops what has arrived of the body already.
  void skip_buffered();
  /// True if the rest is known to be at most `limit` bytes that the client is about to send.
  bool rest_is_small(std::uint64_t limit) const;
  /// What came behind the body and belongs to the next request goes to the input.
  void return_rest();

 private:
  Task<Io> receive();
  std::string_view take();
  std::string_view take_chunked(InputBuffer& source);
  void break_off(ErrorCode code, const char* message);

  Transport& transport_;
  InputBuffer& input_;
  Framing framing_;
  InputBuffer more_;
  ChunkDecoder decoder_;
  std::uint64_t left_;
  std::uint64_t bytes_read_ = 0;
  bool finished_;
  bool continue_due_;
  std::optional<Error> error_;
};

}  // namespace coffer::http
