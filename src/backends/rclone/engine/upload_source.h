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

/// The content of one upload. The engine (the rclone process) fetches it once, over HTTP.
class UploadSource {
 public:
  virtual ~UploadSource() = default;
  virtual std::uint64_t size_bytes() const = 0;
  virtual std::optional<Timestamp> modified_at() const = 0;
  /// Sends the whole content to the socket. If this fails, a part may have been sent. Called at
  /// most once, on the thread of the upload server (upload_server.h).
  virtual Task<Result<void>> send(asio::ip::tcp::socket& socket) = 0;
};

/// Content of known size that is sent while it is produced: the producer passes bytes to `give`,
/// and `send` sends them. Safe from any thread, but calls of `give` must not overlap.
class StreamSource final : public UploadSource {
 public:
  StreamSource(std::uint64_t size_bytes, std::optional<Timestamp> modified_at)
      : size_bytes_(size_bytes), modified_at_(modified_at) {}

  std::uint64_t size_bytes() const override { return size_bytes_; }
  std::optional<Timestamp> modified_at() const override { return modified_at_; }
  Task<Result<void>> send(asio::ip::tcp::socket& socket) override;

  /// Passes `data`, which must not be empty, to `send`, and waits until all of it is sent. Returns
  /// false if the fetch fails or `close` is called. Nothing else cancels the wait.
  Task<bool> give(std::span<const std::byte> data);
  /// Returns true once the engine has begun to fetch the content.
  bool is_fetched();
  /// Aborts the fetch if it is in progress. Calls of `give` return false from now on.
  void close();

 private:
  /// Waits for the next bytes to send, and returns them; nullopt if `close` was called.
  Task<std::optional<std::span<const std::byte>>> next();
  void finish_data();
  void end();

  const std::uint64_t size_bytes_;
  const std::optional<Timestamp> modified_at_;
  std::mutex mutex_;
  bool fetched_ = false;
  bool closed_ = false;
  bool sending_ = false;  ///< True while `send` reads `data_` without holding the mutex.
  int line_ = -1;         ///< The descriptor of the socket during the fetch, otherwise -1.
  std::optional<std::span<const std::byte>> data_;
  Resume giver_;
  Resume taker_;
};

/// An unnamed local file for content whose size is not known in advance. The file is deleted with
/// this object, or when the program ends. Parts of large content are dropped from the page cache,
/// to leave room for other files. Calls block. Not safe for concurrent calls.
class Spool {
 public:
  /// Creates the file in the folder. `disk_full` if the disk is full, `overloaded` if no descriptor
  /// is left (lack_of), otherwise `failed`.
  static Result<std::shared_ptr<Spool>> open(const std::filesystem::path& folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Appends the bytes. `disk_full` if the disk is full, `failed` if it cannot be written to. After
  /// a failure the content must not be used.
  Result<void> write(std::span<const std::byte> data);
  std::uint64_t size_bytes() const { return size_bytes_; }
  int descriptor() const { return descriptor_; }
  /// A sequential reader calls this before it reads at `offset`: loads the next bytes into the page
  /// cache and drops old ones. The reader keeps `ahead_bytes` between calls; it must be 0 at first.
  void read_on(std::uint64_t& ahead_bytes, std::uint64_t offset) const;

 private:
  explicit Spool(int descriptor) : descriptor_(descriptor) {}
  int let_go();

  int descriptor_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t begun_bytes_ = 0;  ///< Bytes before this offset are being written to the disk.
};

/// Content that was collected in a Spool.
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
