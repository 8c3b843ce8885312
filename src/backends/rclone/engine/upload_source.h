#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <optional>

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

}  // namespace coffer::rclone
