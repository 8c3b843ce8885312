#pragma once

#include <memory>
#include <utility>

#include "backends/rclone/engine/spool.h"
#include "backends/rclone/engine/upload_source.h"

namespace coffer::rclone {

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
