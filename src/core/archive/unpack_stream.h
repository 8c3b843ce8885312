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
#include "base/character_set.h"
#include "base/error.h"
#include "core/archive/archive_reader.h"
#include "core/archive/packed_item.h"
#include "core/archive/unpack_frames.h"
#include "storage/reader.h"

namespace coffer::core {

/// A confined child process, which runs this program and unpacks one archive (see
/// unpack_program.h). The kernel kills the process when the thread that called `start` ends.
class UnpackProcess {
 public:
  /// Starts the process. Blocks briefly, because it forks. Call it on a thread that outlives the
  /// process, such as a thread of a pool that never ends its threads. Errors:
  /// - `overloaded` if no process can be started
  /// - `unavailable` if a process cannot be confined on this machine
  static Result<UnpackProcess> start();
  UnpackProcess(UnpackProcess&& other) noexcept;
  UnpackProcess& operator=(UnpackProcess&&) = delete;
  /// Closes the descriptors that were not taken. Neither kills nor reaps the process.
  ~UnpackProcess();

  /// Returns the descriptor to write the process's input to. The caller must close it.
  int take_input();
  /// Returns the descriptor to read the process's output from. The caller must close it.
  int take_output();
  /// Kills the process. Does not block.
  void kill() const;
  pid_t id() const { return id_; }

 private:
  UnpackProcess(pid_t id, int input, int output) : id_(id), input_(input), output_(output) {}

  pid_t id_;
  int input_;
  int output_;
};

/// Reads an archive item by item through a confined process, so that a decoder that crashes or uses
/// much memory does not affect the server. Uses constant memory in the server.
/// Only one coroutine at a time may use it, on the executor on which `begin` was called.
class UnpackStream {
 public:
  /// Starts a process on a thread of `pool` and returns the stream. See read_archive for `names`.
  /// The pool must outlive the stream and must never end its threads. Fails as UnpackProcess::start
  /// does.
  static Task<Result<std::unique_ptr<UnpackStream>>> begin(std::unique_ptr<storage::Reader> archive,
                                                           ArchiveBounds bounds,
                                                           std::optional<CharacterSet> names,
                                                           Pool& pool);
  UnpackStream(std::unique_ptr<storage::Reader> archive, Pool& pool, UnpackProcess process,
               const asio::any_io_executor& executor);
  ~UnpackStream();
  UnpackStream(const UnpackStream&) = delete;
  UnpackStream& operator=(const UnpackStream&) = delete;

  /// Returns the next item; nullopt at the end. Skips the rest of the current item. Fails as the
  /// archive's reader or read_archive does, or with `failed` if the process fails. After a failure
  /// the stream is over.
  Task<Result<std::optional<PackedItem>>> next();
  /// Returns the next part of the current item's content, valid until the next call. Returns an
  /// empty span after the last part. Fails if the content is damaged. If only this item is damaged,
  /// the stream is not over (see is_over), and the caller may call `next`.
  Task<Result<std::span<const std::byte>>> read();
  /// Returns true at the end, after `stop`, and after a failure that affects further items too.
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
  /// Receives the next frame that is not a `read`. Answers each `read` that comes before it.
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
  bool is_broken_ = false;             ///< The process ended by itself too early.
  std::optional<Error> source_error_;  ///< The failure of the archive's reader.
  std::string input_;                  ///< Bytes from the process, parsed up to `taken_`.
  std::size_t taken_ = 0;
  std::vector<std::byte> block_;  ///< The archive's bytes from `block_at_` on.
  std::size_t block_bytes_ = 0;
  std::uint64_t block_at_ = 0;
};

}  // namespace coffer::core
