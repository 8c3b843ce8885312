#include "http/body_reader.h"

#include <algorithm>
#include <cstring>

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

constexpr std::size_t kWaitBufferBytes = 16 * 1024;
constexpr std::size_t kReadBufferBytes = 256 * 1024;
constexpr std::size_t kChunkedBufferBytes = 64 * 1024;
/// Small chunks are joined up to this size.
constexpr std::size_t kJoinBytes = 16 * 1024;

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

BodyReader::BodyReader(Transport& transport, InputBuffer& input, const Framing& framing)
    : transport_(transport),
      input_(input),
      framing_(framing),
      left_(framing.content_length),
      finished_(!framing.chunked && framing.content_length == 0),
      continue_due_(framing.expects_continue) {}

std::optional<std::uint64_t> BodyReader::length() const {
  if (framing_.chunked) return std::nullopt;
  return framing_.content_length;
}

void BodyReader::break_off(ErrorCode code, const char* message) {
  error_ = Error{code, message};
}

/// Joins the content of small chunks in the buffer that received it: returning each of them alone
/// would cost far more.
std::string_view BodyReader::take_chunked(InputBuffer& source) {
  char* begin = nullptr;
  std::size_t size = 0;
  while (!source.empty() && !finished_ && !error_ && size < kJoinBytes) {
    char* const input = source.front();
    const auto step = decoder_.step(source.data());
    source.consume(step.consumed);
    char* const content = input + (step.consumed - step.data.size());
    if (size == 0) begin = content;
    if (begin + size != content) std::memmove(begin + size, content, step.data.size());
    size += step.data.size();
    finished_ = step.state == ChunkDecoder::State::done;
    if (step.state == ChunkDecoder::State::broken) {
      break_off(ErrorCode::invalid, "The body's chunked framing is broken.");
    }
  }
  return {begin, size};
}

std::string_view BodyReader::take() {
  InputBuffer& source = input_.empty() ? more_ : input_;
  if (framing_.chunked) return take_chunked(source);
  const auto bytes = source.data().substr(0, std::min<std::uint64_t>(left_, source.data().size()));
  source.consume(bytes.size());
  left_ -= bytes.size();
  finished_ = left_ == 0;
  return bytes;
}

/// Bytes after a known length belong to the next request. Only what has arrived gets a large
/// buffer: a client may take long to send the rest.
std::size_t BodyReader::buffer_bytes() const {
  const std::size_t most =
      framing_.chunked ? kChunkedBufferBytes
                       : static_cast<std::size_t>(std::min<std::uint64_t>(left_, kReadBufferBytes));
  return transport_.arrived_bytes() > kWaitBufferBytes ? most : std::min(most, kWaitBufferBytes);
}

Task<Io> BodyReader::receive() {
  if (continue_due_) {
    continue_due_ = false;
    const Io sent = co_await transport_.send("HTTP/1.1 100 Continue\r\n\r\n", false);
    if (sent != Io::done) co_return sent;
  }
  more_.reset(buffer_bytes());
  co_return co_await transport_.receive_body(more_);
}

Task<Result<std::span<const std::byte>>> BodyReader::read() {
  std::string_view bytes;
  while (bytes.empty() && !finished_ && !error_) {
    if (!input_.empty() || !more_.empty()) {
      bytes = take();
      continue;
    }
    const Io received = co_await receive();
    if (received == Io::ended) break_off(ErrorCode::invalid, "The request's body ended early.");
    if (received == Io::timed_out) {
      break_off(ErrorCode::timed_out, "The request's body did not arrive in time.");
    }
  }
  if (error_) co_return std::unexpected(*error_);
  bytes_read_ += bytes.size();
  co_return std::as_bytes(std::span(bytes));
}

void BodyReader::skip_buffered() {
  while (!finished_ && !error_ && (!input_.empty() || !more_.empty())) take();
}

bool BodyReader::rest_is_small(std::uint64_t limit) const {
  return !framing_.chunked && !continue_due_ && !error_ && left_ <= limit;
}

void BodyReader::return_rest() {
  if (input_.empty() && !more_.empty()) std::swap(input_, more_);
}

}  // namespace coffer::http
