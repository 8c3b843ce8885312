#include "http/body_sender.h"

#include <algorithm>
#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <span>
#include <utility>

namespace coffer::http {
namespace {

constexpr std::size_t kGatherBytes = 64 * 1024;
constexpr std::size_t kSendBufferBytes = 1024 * 1024;
constexpr std::uint64_t kFileChunkBytes = 2 * 1024 * 1024;

Sent to_sent(Io io) {
  return {io == Io::done ? Sent::State::done : Sent::State::broken, {}};
}

Sent not_begun(Error error) {
  return {Sent::State::not_begun, std::move(error)};
}

Error ended_early() {
  return {ErrorCode::failed, "The content could not be read in full."};
}

/// Appends `length` bytes of the content to `out`, without waiting where that is possible.
Task<Result<void>> append_content(Content& content, std::string& out, std::uint64_t offset,
                                  std::size_t length) {
  const std::size_t start = out.size();
  out.resize(start + length);
  std::size_t done = 0;
  while (done < length) {
    const auto space = std::as_writable_bytes(std::span(out)).subspan(start + done, length - done);
    std::size_t got = 0;
    if (const auto at_once = content.read_now(offset + done, space)) {
      got = *at_once;
    } else {
      auto waited = co_await content.read(offset + done, space);
      if (!waited) co_return failure_of(std::move(waited));
      got = *waited;
    }
    if (got == 0) co_return std::unexpected(ended_early());
    done += got;
  }
  co_return Result<void>();
}

Task<Sent> send_gathered(Transport& transport, std::string& out, const ContentBody& body) {
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const auto appended = co_await append_content(*body.content, out, stretch.offset,
                                                  static_cast<std::size_t>(stretch.length));
    if (!appended) co_return not_begun(appended.error());
  }
  out += body.after;
  co_return to_sent(co_await transport.send(out, false));
}

/// True if a read of the range's ends would not wait, which readahead makes a good sign for the
/// whole of it.
bool is_in_memory(Content& content, std::uint64_t offset, std::uint64_t length) {
  std::byte probe[1];
  return content.read_now(offset, probe) && content.read_now(offset + length - 1, probe);
}

Task<Io> send_by_file(Transport& transport, Content& content, int descriptor, Stretch range) {
  const auto executor = co_await asio::this_coro::executor;
  while (range.length > 0) {
    const auto length = std::min(range.length, kFileChunkBytes);
    if (!is_in_memory(content, range.offset, length)) {
      co_await content.prefetch(range.offset, length);
    }
    const Io sent = co_await transport.send_file(descriptor, range.offset, length);
    if (sent != Io::done) co_return sent;
    range.offset += length;
    range.length -= length;
    // A fast reader must not keep the thread from the other connections.
    if (range.length > 0) co_await asio::post(executor, asio::use_awaitable);
  }
  co_return Io::done;
}

Task<Sent> send_file_body(Transport& transport, std::string& out, const ContentBody& body,
                          int descriptor) {
  // Otherwise each call pushes out what it has at its end, and the peer wakes for that.
  transport.cork(true);
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const Io head = co_await transport.send(out, true);
    if (head != Io::done) co_return to_sent(head);
    out.clear();
    Stretch range{{}, stretch.offset, stretch.length};
    const Io sent = co_await send_by_file(transport, *body.content, descriptor, std::move(range));
    if (sent != Io::done) co_return to_sent(sent);
  }
  const Io after = co_await transport.send(body.after, false);
  transport.cork(false);
  co_return to_sent(after);
}

/// Sends the content through two buffers, one read into while the other goes out; `out` holds what
/// is to go out in front of it.
class BufferedSender {
 public:
  BufferedSender(Transport& transport, std::string& out) : transport_(transport), out_(out) {}

  Task<Sent> send(const ContentBody& body) {
    for (const Stretch& stretch : body.stretches) {
      out_ += stretch.before;
      const Sent sent = co_await send_stretch(*body.content, stretch);
      if (sent.state != Sent::State::done) co_return sent;
    }
    co_return to_sent(co_await transport_.send(body.after, false));
  }

 private:
  Task<Sent> send_stretch(Content& content, const Stretch& stretch) {
    using namespace asio::experimental::awaitable_operators;
    const auto executor = co_await asio::this_coro::executor;
    Stretch rest{{}, stretch.offset, stretch.length};
    auto space = buffer(0, rest);
    auto got = co_await content.read(rest.offset, space);
    for (std::size_t which = 0; rest.length > 0; which = 1 - which) {
      if (!got || *got == 0) {
        if (begun_) co_return to_sent(Io::ended);
        co_return not_begun(got ? ended_early() : got.error());
      }
      begun_ = true;
      const auto full = space.first(*got);
      rest.offset += full.size();
      rest.length -= full.size();
      space = buffer(1 - which, rest);
      Io sent = Io::done;
      if (space.empty()) {
        sent = co_await put(full);
      } else {
        auto both = co_await (put(full) && read(content, rest.offset, space));
        sent = std::get<0>(both);
        got = std::get<1>(std::move(both));
      }
      if (sent != Io::done) co_return to_sent(sent);
      // As in send_by_file.
      if (rest.length > 0) co_await asio::post(executor, asio::use_awaitable);
    }
    co_return to_sent(Io::done);
  }

  static Task<Result<std::size_t>> read(Content& content, std::uint64_t offset,
                                        std::span<std::byte> out) {
    if (const auto at_once = content.read_now(offset, out)) co_return *at_once;
    co_return co_await content.read(offset, out);
  }

  Task<Io> put(std::span<const std::byte> bytes) {
    const Io head = co_await transport_.send(out_, true);
    out_.clear();
    if (head != Io::done) co_return head;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    co_return co_await transport_.send(text, false);
  }

  std::span<std::byte> buffer(std::size_t which, const Stretch& rest) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(rest.length, kSendBufferBytes));
    auto& memory = memory_.at(which);
    if (size > 0 && !memory) memory = std::make_unique_for_overwrite<std::byte[]>(kSendBufferBytes);
    return {memory.get(), size};
  }

  Transport& transport_;
  std::string& out_;
  bool begun_ = false;
  std::array<std::unique_ptr<std::byte[]>, 2> memory_;
};

}  // namespace

Task<Sent> send_response(Transport& transport, std::string& head, const Response& response) {
  if (const auto* text = std::get_if<std::string>(&response.body)) {
    const bool gather = text->size() <= kGatherBytes;
    if (gather) head += *text;
    const Io first = co_await transport.send(head, !gather);
    if (gather || first != Io::done) co_return to_sent(first);
    co_return to_sent(co_await transport.send(*text, false));
  }
  const auto& body = std::get<ContentBody>(response.body);
  if (*response.content_length() <= kGatherBytes) {
    co_return co_await send_gathered(transport, head, body);
  }
  if (const auto descriptor = body.content->descriptor()) {
    co_return co_await send_file_body(transport, head, body, *descriptor);
  }
  BufferedSender sender(transport, head);
  co_return co_await sender.send(body);
}

}  // namespace coffer::http
