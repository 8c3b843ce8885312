#pragma once

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
#include "core/archive/unpack_process.h"
#include "storage/reader.h"

namespace coffer::core {

/// What is in an archive, item by item, as a confined process reads it: neither a fault in the
/// decoders nor the memory that they take is this process'. No thread waits for it, and it takes as
/// much memory here whatever the archive. One coroutine at a time, on the executor that began it.
class UnpackStream {
 public:
  /// The pool, whose threads stay, outlives it. Fails as UnpackProcess::start.
  static Task<Result<std::unique_ptr<UnpackStream>>> begin(std::unique_ptr<storage::Reader> archive,
                                                           ArchiveBounds bounds, Pool& pool);
  UnpackStream(std::unique_ptr<storage::Reader> archive, Pool& pool, UnpackProcess process,
               const asio::any_io_executor& executor);
  ~UnpackStream();
  UnpackStream(const UnpackStream&) = delete;
  UnpackStream& operator=(const UnpackStream&) = delete;

  /// The next item, or nothing at the end; what was not read of the one before is passed over.
  /// Fails as the archive's reader does, as read_archive, or with `failed` where the process does:
  /// then it is over.
  Task<Result<std::optional<PackedItem>>> next();
  /// What comes next of the item's content, valid until the next call; empty at its end, when all
  /// of it was sound. After a failure of the item alone the next one may be asked for.
  Task<Result<std::span<const std::byte>>> read();
  /// After a failure: it is the archive's.
  bool is_over() const { return state_ == State::over; }

  /// What waits fails soon, and it is over. To be called on its executor.
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
  /// Answers what the process asks for meanwhile.
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
  std::optional<Error> source_error_;  ///< Why the archive could not be read.
  std::string input_;                  ///< Of the process, from `taken_` on.
  std::size_t taken_ = 0;
  std::vector<std::byte> block_;  ///< Of the archive, from `block_at_` on.
  std::size_t block_bytes_ = 0;
  std::uint64_t block_at_ = 0;
};

}  // namespace coffer::core
