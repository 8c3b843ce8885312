#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>

#include "async/suspend.h"
#include "backends/rclone/engine/upload_source.h"

namespace coffer::rclone {

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
  /// What to send next; nothing when it is over.
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

}  // namespace coffer::rclone
