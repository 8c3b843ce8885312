#include "http/chunk_decoder.h"

#include <algorithm>

#include "http/syntax.h"

namespace coffer::http {
namespace {

constexpr std::size_t kSizeLineLimit = 1024;
constexpr std::size_t kTrailerLimit = 8 * 1024;
/// A larger size would overflow with its next digit.
constexpr std::uint64_t kSizeLimit = std::uint64_t{1} << 60;

bool is_text(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

}  // namespace

ChunkDecoder::Phase ChunkDecoder::add_digit(char c) {
  const int digit = hex_value(c);
  if (digit < 0 || left_ >= kSizeLimit) return Phase::broken;
  left_ = left_ * 16 + static_cast<unsigned>(digit);
  return Phase::size;
}

ChunkDecoder::Phase ChunkDecoder::after_size(char c) {
  if (c == '\r') return Phase::size_lf;
  if (++line_bytes_ > kSizeLineLimit) return Phase::broken;
  // An extension begins with a semicolon; white space in front of it is bad but common (RFC 9112,
  // section 7.1.1) and is refused like everything that parsers disagree about.
  const bool begins = phase_ == Phase::size;
  if (begins && c != ';') return add_digit(c);
  return is_text(c) ? Phase::extension : Phase::broken;
}

ChunkDecoder::Phase ChunkDecoder::in_trailer(char c) {
  if (++line_bytes_ > kTrailerLimit) return Phase::broken;
  if (phase_ == Phase::trailer_start) {
    if (c == '\r') return Phase::end_lf;
    return is_token_char(c) ? Phase::trailer_name : Phase::broken;
  }
  if (phase_ == Phase::trailer_name) {
    if (c == ':') return Phase::trailer_value;
    return is_token_char(c) ? Phase::trailer_name : Phase::broken;
  }
  if (c == '\r') return Phase::trailer_lf;
  return is_text(c) ? Phase::trailer_value : Phase::broken;
}

ChunkDecoder::Phase ChunkDecoder::next(char c) {
  switch (phase_) {
    case Phase::size_start:
      left_ = 0;
      line_bytes_ = 0;
      return add_digit(c);
    case Phase::size:
    case Phase::extension:
      return after_size(c);
    case Phase::size_lf:
      if (c != '\n') return Phase::broken;
      line_bytes_ = 0;
      return left_ > 0 ? Phase::data : Phase::trailer_start;
    case Phase::data_cr:
      return c == '\r' ? Phase::data_lf : Phase::broken;
    case Phase::data_lf:
      return c == '\n' ? Phase::size_start : Phase::broken;
    case Phase::trailer_start:
    case Phase::trailer_name:
    case Phase::trailer_value:
      return in_trailer(c);
    case Phase::trailer_lf:
      return c == '\n' ? Phase::trailer_start : Phase::broken;
    case Phase::end_lf:
      return c == '\n' ? Phase::done : Phase::broken;
    case Phase::data:
    case Phase::done:
    case Phase::broken:
      break;
  }
  return Phase::broken;
}

ChunkDecoder::DecodedPart ChunkDecoder::step(std::string_view input) {
  std::size_t at = 0;
  while (at < input.size() && phase_ != Phase::done && phase_ != Phase::broken) {
    if (phase_ == Phase::data) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size() - at));
      left_ -= count;
      if (left_ == 0) phase_ = Phase::data_cr;
      return {State::data, at + count, input.substr(at, count)};
    }
    phase_ = next(input[at++]);
  }
  if (phase_ == Phase::done) return {State::done, at, {}};
  if (phase_ == Phase::broken) return {State::broken, at, {}};
  return {State::more, at, {}};
}

}  // namespace coffer::http
