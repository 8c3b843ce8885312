#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "async/suspend.h"
#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"

namespace coffer::rclone {

/// Content for the engine to fetch, once.
class UploadSource {
 public:
  virtual ~UploadSource() = default;
  virtual std::uint64_t size_bytes() const = 0;
  virtual std::optional<Timestamp> modified_at() const = 0;
  /// Sends it, all or, after a failure, not; called at most once, on a thread of the upload server.
  virtual Task<Result<void>> send(asio::ip::tcp::socket& socket) = 0;
};

/// Content of a known size that is fetched while it is made: what one side gives, the other sends.
/// Safe from any thread; `give` by one caller at a time.
class StreamSource final : public UploadSource {
 public:
  StreamSource(std::uint64_t size_bytes, std::optional<Timestamp> modified_at)
      : size_bytes_(size_bytes), modified_at_(modified_at) {}

  std::uint64_t size_bytes() const override { return size_bytes_; }
  std::optional<Timestamp> modified_at() const override { return modified_at_; }
  Task<Result<void>> send(asio::ip::tcp::socket& socket) override;

  /// Returns when all of `data`, which is not empty, was sent; false if the fetch has ended before.
  /// Not cancelled: to give up, call `close`.
  Task<bool> give(std::span<const std::byte> data);
  /// True from when the engine fetches it.
  bool is_fetched();
  /// Ends the fetch before its time, if it runs; nothing more is given.
  void close();

 private:
  /// Returns the next bytes to send, or nullopt at the end.
  Task<std::optional<std::span<const std::byte>>> next();
  void finish_data();
  void end();

  const std::uint64_t size_bytes_;
  const std::optional<Timestamp> modified_at_;
  std::mutex mutex_;
  bool fetched_ = false;
  bool closed_ = false;
  bool sending_ = false;  ///< Someone looks at `data_` without the mutex.
  int line_ = -1;         ///< The socket while it is fetched.
  std::optional<std::span<const std::byte>> data_;
  Resume giver_;
  Resume taker_;
};

/// A file without a name, for content whose size is not known before it has come. It is gone with
/// this object, or with the program. What is large passes through memory, which is for what is used
/// more than once. Blocking; not for two threads at once.
class Spool {
 public:
  /// `failed` if the folder takes no file.
  static Result<std::shared_ptr<Spool>> open(const std::filesystem::path& folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Appends. `failed` when the disk is full or broken; what is in it is then not to be used.
  Result<void> write(std::span<const std::byte> data);
  std::uint64_t size_bytes() const { return size_bytes_; }
  int descriptor() const { return descriptor_; }
  /// To be called by a sequential reader: starts reading the next bytes into memory and drops those
  /// that were read. `ahead_bytes`, 0 at first, is how far that was asked for.
  void read_on(std::uint64_t& ahead_bytes, std::uint64_t offset) const;

 private:
  explicit Spool(int descriptor) : descriptor_(descriptor) {}
  int let_go();

  int descriptor_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t begun_bytes_ = 0;  ///< The bytes whose writing to the disk has started.
};

/// Content that was spooled.
class FileSource final : public UploadSource {
 public:
  FileSource(std::shared_ptr<const Spool> spool, std::optional<Timestamp> modified_at)
      : spool_(std::move(spool)), size_bytes_(spool_->size_bytes()), modified_at_(modified_at) {}

  std::uint64_t size_bytes() const override { return size_bytes_; }
  std::optional<Timestamp> modified_at() const override { return modified_at_; }
  Task<Result<void>> send(asio::ip::tcp::socket& socket) override;

 private:
  const std::shared_ptr<const Spool> spool_;
  const std::uint64_t size_bytes_;
  const std::optional<Timestamp> modified_at_;
};

}  // namespace coffer::rclone
