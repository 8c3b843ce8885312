#pragma once

#include <sys/types.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "core/archive/archive_reader.h"
#include "core/archive/packed_item.h"
#include "core/archive/unpack_frames.h"
#include "storage/reader.h"

namespace coffer::core {

/// A confined process of this program that unpacks one archive (see unpack_program.h). It ends with
/// this program.
class UnpackProcess {
 public:
  /// Forks, which takes a moment. The process ends with the calling thread, so call it on a
  /// permanent thread of a pool. `overloaded` if no process can be started, `unavailable` if it
  /// cannot be confined.
  static Result<UnpackProcess> start();
  UnpackProcess(UnpackProcess&& other) noexcept;
  UnpackProcess& operator=(UnpackProcess&&) = delete;
  /// Closes the pipes that were not taken. The caller must reap the process.
  ~UnpackProcess();

  /// Each passes a pipe's end to the caller.
  int take_input();   ///< The process's input, to write to.
  int take_output();  ///< The process's output, to read from.
  /// Kills the process. Does not block.
  void kill() const;
  /// Waits for the process's end. Returns the exit status, or -1 after a signal. The last call.
  static int reap(pid_t process);
  pid_t id() const { return id_; }

 private:
  UnpackProcess(pid_t id, int input, int output) : id_(id), input_(input), output_(output) {}

  pid_t id_;
  int input_;
  int output_;
};

/// Reads an archive item by item through a confined process, so that faults and memory of the
/// decoders do not affect this process. Takes constant memory here, and no thread waits. For one
/// coroutine at a time, on the executor that began it.
class UnpackStream {
 public:
  /// The pool's threads must be permanent, and the pool must outlive it. Fails as
  /// UnpackProcess::start.
  static Task<Result<std::unique_ptr<UnpackStream>>> begin(std::unique_ptr<storage::Reader> archive,
                                                           ArchiveBounds bounds, Pool& pool);
  UnpackStream(std::unique_ptr<storage::Reader> archive, Pool& pool, UnpackProcess process,
               const asio::any_io_executor& executor);
  ~UnpackStream();
  UnpackStream(const UnpackStream&) = delete;
  UnpackStream& operator=(const UnpackStream&) = delete;

  /// Returns the next item, nullopt at the end; skips the rest of the item before. Fails as the
  /// archive's reader, as read_archive, or with `failed` if the process fails; then the stream is
  /// over.
  Task<Result<std::optional<PackedItem>>> next();
  /// Returns the next part of the item's content, valid until the next call; empty at its end if
  /// all of it was sound. After a failure of the item alone `next` may be called.
  Task<Result<std::span<const std::byte>>> read();
  /// After a failure: true if it is the archive's, not the item's alone.
  bool is_over() const { return state_ == State::over; }

  /// Makes a waiting call fail soon and ends the stream. Call it on the stream's executor.
  void stop();

 private:
  enum class State : std::uint8_t { between, offered, reading, over };
  struct Frame {
    FrameKind kind = FrameKind::end;
    std::string_view payload = {};
  };
  Task<Result<void>> send(FrameKind kind, std::string_view payload);
  Task<Result<void>> need(std::size_t bytes);
  Task<Result<Frame>> receive_any();
  /// Receives a frame, and answers the process's reads meanwhile.
  Task<Result<Frame>> receive();
  Task<Result<void>> answer(ReadFrame wanted);
  Task<Result<std::string_view>> archive_bytes(ReadFrame wanted);
  Task<Result<void>> pass_over();
  std::unexpected<Error> end_with(Error error);
  std::unexpected<Error> broken();

  const std::unique_ptr<storage::Reader> archive_;
  Pool& pool_;
  UnpackProcess process_;
  asio::posix::stream_descriptor to_;
  asio::posix::stream_descriptor from_;
  State state_ = State::between;
  std::optional<Error> source_error_;  ///< The failure of the archive's reader.
  std::string input_;                  ///< The process's output; unread from `taken_` on.
  std::size_t taken_ = 0;
  std::vector<std::byte> block_;  ///< The archive's bytes from `block_at_` on.
  std::size_t block_bytes_ = 0;
  std::uint64_t block_at_ = 0;
};

}  // namespace coffer::core
