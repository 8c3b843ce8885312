#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coffer::http {

/// Takes the framing off a chunked body (RFC 9112, section 7.1), wherever the network has cut it.
/// Strict: hexadecimal sizes without sign, at most 1 KiB of size and extensions in a line, CRLF
/// everywhere, trailers of at most 8 KiB in all, well-formed and dropped.
class ChunkDecoder {
 public:
  enum class State : std::uint8_t { more, data, done, broken };
  struct DecodedPart {
    State state = State::more;
    std::size_t consumed = 0;  ///< Bytes taken from the input, the data among them.
    std::string_view data;     ///< With `data` only: content, a view of the input.
  };

  /// Reads `input` up to and including the next stretch of content. `more`: all of it was taken.
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

}  // namespace coffer::http
