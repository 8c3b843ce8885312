#include "core/archive/unpack_program.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "confinement/confinement.h"
#include "core/archive/archive_reader.h"
#include "core/archive/unpack_frames.h"

namespace coffer::core {
namespace {

constexpr int kPriority = 10;

// The sanitizers' own memory needs more addresses than there are.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr confinement::Bounds kBounds{};
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr confinement::Bounds kBounds{};
#else
constexpr confinement::Bounds kBounds{.memory_bytes = kUnpackMemoryBytes};
#endif
#else
constexpr confinement::Bounds kBounds{.memory_bytes = kUnpackMemoryBytes};
#endif

/// The server is not there any more, or says what cannot be.
struct ServerIsGone : std::exception {};

/// The server at the other ends of the standard streams.
class Server final : public ArchiveHost {
 public:
  Server() {
    const FrameKind kind = receive();
    const auto start = decode_start(payload_);
    if (kind != FrameKind::start || !start) throw ServerIsGone();
    start_ = *start;
  }

  const StartFrame& start() const { return start_; }
  std::uint64_t size_bytes() const override { return start_.size_bytes; }

  std::optional<std::size_t> read(std::uint64_t offset, std::span<std::byte> out) override {
    const auto most =
        static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), kMostFrameBytes));
    send(FrameKind::read, encode(ReadFrame{offset, most}));
    const FrameKind kind = receive();
    if (kind == FrameKind::no_bytes) return std::nullopt;
    if (kind != FrameKind::bytes || payload_.size() > out.size()) throw ServerIsGone();
    std::memcpy(out.data(), payload_.data(), payload_.size());
    return payload_.size();
  }

  bool wants(const PackedItem& item) override {
    send(FrameKind::item, encode(item));
    const FrameKind kind = receive();
    if (kind != FrameKind::take && kind != FrameKind::pass) throw ServerIsGone();
    return kind == FrameKind::take;
  }

  void add(std::span<const std::byte> content) override {
    send(FrameKind::content, {reinterpret_cast<const char*>(content.data()), content.size()});
  }
  void end_item() override { send(FrameKind::item_end, {}); }
  void break_item(std::string_view reason) override {
    send(FrameKind::item_break, encode(Error{ErrorCode::invalid, std::string(reason)}));
  }
  void end(const Result<void>& result) {
    if (result) {
      send(FrameKind::end, {});
    } else {
      send(FrameKind::failure, encode(result.error()));
    }
    flush();
  }

 private:
  void send(FrameKind kind, std::string_view payload) {
    append_frame(output_, kind, payload);
    if (output_.size() >= kMostFrameBytes) flush();
  }

  void flush() {
    std::string_view rest = output_;
    while (!rest.empty()) {
      const ssize_t sent = ::write(STDOUT_FILENO, rest.data(), rest.size());
      if (sent < 0 && errno != EINTR) throw ServerIsGone();
      if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    output_.clear();
  }

  /// The next frame's kind; the rest of it is the payload.
  FrameKind receive() {
    flush();
    payload_.resize(kFrameHeadBytes);
    fill(payload_);
    const FrameHead head = head_of(payload_);
    if (head.size_bytes > kMostFrameBytes) throw ServerIsGone();
    payload_.resize(head.size_bytes);
    fill(payload_);
    return head.kind;
  }

  static void fill(std::string& out) {
    for (std::size_t filled = 0; filled < out.size();) {
      const ssize_t got = ::read(STDIN_FILENO, out.data() + filled, out.size() - filled);
      if (got == 0 || (got < 0 && errno != EINTR)) throw ServerIsGone();
      if (got > 0) filled += static_cast<std::size_t>(got);
    }
  }

  std::string payload_;
  std::string output_;
  StartFrame start_;
};

Result<void> read_for(Server& server) {
  try {
    return read_archive(server, server.start().bounds, server.start().names);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::refused, "Unpacking it takes more memory than one archive may use.");
  }
}

}  // namespace

int unpack_for_server() {
  const auto confinement = confinement::Confinement::make(kBounds);
  if (!confinement || !confinement->enter()) return 3;
  // Fails without harm where the server itself has a lower one.
  ::setpriority(PRIO_PROCESS, 0, kPriority);
  try {
    Server server;
    server.end(read_for(server));
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}

}  // namespace coffer::core
