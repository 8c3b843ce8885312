#include "core/archive/unpack_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <utility>

#include "base/child_process.h"
#include "base/log.h"
#include "base/text.h"
#include "confinement/confinement.h"
#include "core/archive/unpack_program.h"

namespace coffer::core {
namespace {

constexpr int kPipeBytes = 256 * 1024;

/// In the child, where only system calls are safe.
[[noreturn]] void become(int input, int output, pid_t parent) {
  const std::array<char*, 2> arguments{const_cast<char*>(kUnpackProgram), nullptr};
  const std::array<char*, 1> environment{nullptr};
  if (prepare_child(parent, input, output, -1)) {
    ::execve("/proc/self/exe", arguments.data(), environment.data());
  }
  ::_exit(127);
}

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
/// Sequential reads are larger than others.
constexpr std::size_t kAheadBytes = 1024 * 1024;
constexpr std::size_t kLeapBytes = 128 * 1024;
constexpr std::size_t kInputBytes = 256 * 1024;

}  // namespace

Result<UnpackProcess> UnpackProcess::start() {
  if (!confinement::Confinement::make({})) {
    return fail(
        ErrorCode::unavailable,
        "This server's machine cannot confine what unpacks archives (Landlock is missing or "
        "switched off), so it unpacks none.");
  }
  Pipe to;
  Pipe from;
  // Smaller ones do as well, more slowly.
  for (const int pipe : {to.to(), from.to()}) (void)::fcntl(pipe, F_SETPIPE_SZ, kPipeBytes);
  const pid_t parent = ::getpid();
  const pid_t child = to.is_open() && from.is_open() ? ::fork() : -1;
  if (child < 0) return fail(ErrorCode::overloaded, "No archive can be unpacked just now.");
  if (child == 0) become(to.from(), from.to(), parent);
  return UnpackProcess(child, to.take_to(), from.take_from());
}

UnpackProcess::UnpackProcess(UnpackProcess&& other) noexcept
    : id_(other.id_),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)) {}

UnpackProcess::~UnpackProcess() {
  close_if_open(input_);
  close_if_open(output_);
}

int UnpackProcess::take_input() {
  return std::exchange(input_, -1);
}

int UnpackProcess::take_output() {
  return std::exchange(output_, -1);
}

void UnpackProcess::kill() const {
  ::kill(id_, SIGKILL);
}

Task<Result<std::unique_ptr<UnpackStream>>> UnpackStream::begin(
    std::unique_ptr<storage::Reader> archive, ArchiveBounds bounds,
    std::optional<CharacterSet> names, Pool& pool) {
  CO_TRY(auto process, co_await pool.run(&UnpackProcess::start));
  const StartFrame start{archive->entry().size_bytes, bounds, names};
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  auto stream =
      std::make_unique<UnpackStream>(std::move(archive), pool, std::move(process), executor);
  CO_TRY_VOID(co_await stream->send(FrameKind::start, encode(start)));
  co_return stream;
}

UnpackStream::UnpackStream(std::unique_ptr<storage::Reader> archive, Pool& pool,
                           UnpackProcess process, const asio::any_io_executor& executor)
    : archive_(std::move(archive)),
      pool_(pool),
      process_(std::move(process)),
      to_(executor),
      from_(executor),
      block_(kAheadBytes) {
  to_.assign(process_.take_input());
  from_.assign(process_.take_output());
}

UnpackStream::~UnpackStream() {
  process_.kill();
  pool_.post([process = process_.id(), is_broken = is_broken_] {
    const int status = reap_child(process);
    if (is_broken) {
      spdlog::warn("the process that unpacked an archive ended with status {} (-1 is a signal)",
                   status);
    }
  });
}

void UnpackStream::stop() {
  state_ = State::over;
  process_.kill();
}

std::unexpected<Error> UnpackStream::end_with(Error error) {
  state_ = State::over;
  return std::unexpected(std::move(error));
}

/// Also where it was stopped.
std::unexpected<Error> UnpackStream::broken() {
  if (source_error_) return end_with(*source_error_);
  is_broken_ = state_ != State::over;
  return end_with({ErrorCode::failed, "The process that unpacks it ended unexpectedly."});
}

Task<Result<void>> UnpackStream::send(FrameKind kind, std::string_view payload) {
  std::string frame;
  append_frame(frame, kind, payload);
  const auto [error, sent] = co_await asio::async_write(to_, asio::buffer(frame), kAwait);
  if (error) co_return broken();
  co_return Result<void>{};
}

/// So many bytes are in the input.
Task<Result<void>> UnpackStream::need(std::size_t bytes) {
  while (input_.size() - taken_ < bytes) {
    input_.erase(0, std::exchange(taken_, 0));
    const std::size_t had = input_.size();
    input_.resize(had + kInputBytes);
    const auto [error, got] =
        co_await from_.async_read_some(asio::buffer(input_.data() + had, kInputBytes), kAwait);
    input_.resize(had + got);
    if (error) co_return broken();
  }
  co_return Result<void>{};
}

Task<Result<UnpackStream::Frame>> UnpackStream::receive_any() {
  CO_TRY_VOID(co_await need(kFrameHeadBytes));
  const FrameHead head = head_of(std::string_view(input_).substr(taken_, kFrameHeadBytes));
  if (head.size_bytes > kMostFrameBytes) co_return broken();
  CO_TRY_VOID(co_await need(kFrameHeadBytes + head.size_bytes));
  Frame frame;
  frame.kind = head.kind;
  frame.payload = std::string_view(input_).substr(taken_ + kFrameHeadBytes, head.size_bytes);
  taken_ += kFrameHeadBytes + head.size_bytes;
  co_return frame;
}

Task<Result<UnpackStream::Frame>> UnpackStream::receive() {
  for (;;) {
    CO_TRY(auto frame, co_await receive_any());
    if (frame.kind == FrameKind::failure) {
      auto error = decode_failure(frame.payload);
      if (!error || source_error_) co_return broken();
      co_return end_with(*std::move(error));
    }
    if (frame.kind != FrameKind::read) co_return frame;
    const auto wanted = decode_read(frame.payload);
    if (!wanted) co_return broken();
    CO_TRY_VOID(co_await answer(*wanted));
  }
}

Task<Result<void>> UnpackStream::answer(ReadFrame wanted) {
  const auto bytes = co_await archive_bytes(wanted);
  if (bytes) co_return co_await send(FrameKind::bytes, *bytes);
  if (!source_error_) source_error_ = bytes.error();
  co_return co_await send(FrameKind::no_bytes, {});
}

Task<Result<std::string_view>> UnpackStream::archive_bytes(ReadFrame wanted) {
  const bool is_here = wanted.offset >= block_at_ && wanted.offset < block_at_ + block_bytes_;
  if (!is_here) {
    const bool goes_on = wanted.offset == block_at_ + block_bytes_;
    const std::size_t most = goes_on ? kAheadBytes : kLeapBytes;
    block_at_ = wanted.offset;
    block_bytes_ = 0;
    while (block_bytes_ < most) {
      const auto space = std::span(block_).subspan(block_bytes_, most - block_bytes_);
      CO_TRY(const auto got,
             co_await storage::read_soon(*archive_, block_at_ + block_bytes_, space));
      if (is_over()) co_return broken();  // It was stopped while a slow server sent some bytes.
      if (got == 0) break;
      block_bytes_ += got;
      if (block_bytes_ >= wanted.size_bytes && !goes_on) break;
    }
  }
  const auto at = static_cast<std::size_t>(wanted.offset - block_at_);
  const std::size_t count = std::min<std::size_t>(wanted.size_bytes, block_bytes_ - at);
  co_return std::string_view(reinterpret_cast<const char*>(block_.data()) + at, count);
}

Task<Result<void>> UnpackStream::pass_over() {
  if (state_ == State::offered) {
    state_ = State::between;
    co_return co_await send(FrameKind::pass, {});
  }
  while (state_ == State::reading) {
    const auto more = co_await read();
    if (!more && is_over()) co_return failure_of(more);
    if (more && more->empty()) break;
  }
  co_return Result<void>{};
}

Task<Result<std::optional<PackedItem>>> UnpackStream::next() {
  if (is_over()) co_return broken();
  CO_TRY_VOID(co_await pass_over());
  CO_TRY(const auto frame, co_await receive());
  if (frame.kind == FrameKind::end) {
    state_ = State::over;
    co_return std::nullopt;
  }
  if (frame.kind != FrameKind::item) co_return broken();
  auto item = decode_item(frame.payload);
  if (!item) co_return broken();
  state_ = State::offered;
  co_return item;
}

Task<Result<std::span<const std::byte>>> UnpackStream::read() {
  if (state_ == State::offered) {
    state_ = State::reading;
    CO_TRY_VOID(co_await send(FrameKind::take, {}));
  }
  if (state_ != State::reading) co_return broken();
  const auto frame = co_await receive();
  if (!frame) co_return failure_of(frame);
  if (frame->kind == FrameKind::content && !frame->payload.empty()) {
    co_return std::as_bytes(std::span(frame->payload));
  }
  const auto reason = frame->kind == FrameKind::item_break ? decode_failure(frame->payload)
                                                           : std::optional<Error>();
  if (!reason && frame->kind != FrameKind::item_end) co_return broken();
  state_ = State::between;
  if (reason) co_return std::unexpected(*reason);
  co_return std::span<const std::byte>();
}

}  // namespace coffer::core
