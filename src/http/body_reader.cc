#include "http/body_reader.h"

#include <algorithm>

namespace coffer::http {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::size_t kChunkedBufferBytes = 64 * 1024;

}  // namespace

BodyReader::BodyReader(Transport& transport, InputBuffer& input, const Framing& framing,
                       std::chrono::milliseconds stall_timeout)
    : transport_(transport),
      input_(input),
      framing_(framing),
      stall_timeout_(stall_timeout),
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

std::string_view BodyReader::take_chunked(InputBuffer& source) {
  const auto step = decoder_.step(source.data());
  source.consume(step.consumed);
  finished_ = step.state == ChunkDecoder::State::done;
  if (step.state == ChunkDecoder::State::broken) {
    break_off(ErrorCode::invalid, "The body's chunked framing is broken.");
  }
  return step.data;
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

Task<Io> BodyReader::receive() {
  if (continue_due_) {
    continue_due_ = false;
    const Io sent = co_await transport_.send("HTTP/1.1 100 Continue\r\n\r\n", false);
    if (sent != Io::done) co_return sent;
  }
  // Never past a known length: what follows it belongs to the next request.
  const std::size_t size =
      framing_.chunked ? kChunkedBufferBytes
                       : static_cast<std::size_t>(std::min<std::uint64_t>(left_, kBufferBytes));
  more_.make_room(size);
  co_return co_await transport_.receive(more_, std::chrono::steady_clock::now() + stall_timeout_,
                                        true);
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
