#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/exchange.h"
#include "http/head_parser.h"
#include "http/transport.h"

namespace coffer::http {

/// Removes the framing of a chunked body (RFC 9112, section 7.1) that arrives in pieces of any
/// size. Drops trailers. The state becomes `broken` if a size is not plain hexadecimal, a size with
/// its extensions exceeds 1 KiB, a trailer is malformed, the trailers together exceed 8 KiB, or a
/// line does not end in CRLF.
class ChunkDecoder {
 public:
  enum class State : std::uint8_t { more, data, done, broken };
  struct DecodedPart {
    State state = State::more;
    std::size_t consumed = 0;  ///< The number of bytes taken from the input, including `data`.
    std::string_view data;     ///< Content, a view of the input. Empty unless `state` is `data`.
  };

  /// Decodes `input` up to the end of its first piece of content. The state `more` means that all
  /// of `input` was framing: call `step` again with the bytes that follow.
  DecodedPart step(std::string_view input);

 private:
  enum class Phase : std::uint8_t {
    size_start,
    size,
    extension,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_start,
    trailer_name,
    trailer_value,
    trailer_lf,
    end_lf,
    done,
    broken
  };
  Phase next(char c);
  Phase after_size(char c);
  Phase in_trailer(char c);
  Phase add_digit(char c);

  Phase phase_ = Phase::size_start;
  std::uint64_t left_ = 0;
  std::size_t line_bytes_ = 0;
};

/// Reads the body of one request. The first bytes of the body are those in `input`, which arrived
/// together with the head. The following bytes are received from the transport.
class BodyReader final : public ReceivedBody {
 public:
  BodyReader(Transport& transport, InputBuffer& input, const Framing& framing);

  std::optional<std::uint64_t> length() const override;
  Task<Result<std::span<const std::byte>>> read() override;
  void interrupt() override { transport_.cut(); }
  bool has_client_left() override { return transport_.has_peer_left(); }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  bool is_finished() const { return finished_; }
  bool has_stalled() const override { return error_ && error_->code == ErrorCode::timed_out; }
  bool is_broken() const { return error_.has_value(); }
  /// Drops the bytes of the body that were received but that `read` has not returned.
  void skip_buffered();
  /// Returns true if at most `limit` bytes of the body are left. Returns false if the client waits
  /// for `100 Continue`, the body is broken, or the body is chunked, so that its length is unknown.
  bool rest_is_small(std::uint64_t limit) const;
  /// Moves the bytes received after the body to the input: they belong to the next request.
  void return_rest();

 private:
  Task<Io> receive();
  std::size_t buffer_bytes() const;
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
