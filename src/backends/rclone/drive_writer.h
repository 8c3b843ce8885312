#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backends/rclone/drive_remote.h"
#include "backends/rclone/drive_upload.h"
#include "backends/rclone/spool.h"
#include "backends/rclone/stream_source.h"
#include "storage/backend.h"

namespace coffer::rclone {

/// Collects content under a partial name beside its target, or under the target's own where that is
/// out of sight: as it comes where its size is known, otherwise in a file of this machine first,
/// since rclone's uploads without a size may commit what was cut.
class DriveWriter final : public storage::Writer {
 public:
  DriveWriter(std::shared_ptr<DriveRemote> remote, Path target,
              const storage::WriteOptions& options);
  ~DriveWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  std::uint64_t written_bytes() const override { return written_bytes_; }
  std::string_view staged_name() const override { return partial_.name(); }
  Task<Result<void>> finish() override;
  Task<void> abandon() override;

  const Path& target() const { return target_; }
  const Path& partial() const { return partial_; }
  const storage::WriteOptions& options() const { return options_; }
  /// It has its target's name already.
  bool is_out_of_sight() const { return options_.out_of_sight; }
  /// It is under its target's name now, or rolled back by the publication.
  void keep() { begun_ = false; }

 private:
  Task<Result<void>> begin(std::shared_ptr<UploadSource> content);
  Task<Result<void>> begin_stream();
  Task<Result<void>> give(std::span<const std::byte> data);
  Task<Result<void>> spool(std::span<const std::byte> data);
  Task<Result<void>> why_it_ended();

  const std::shared_ptr<DriveRemote> remote_;
  const Path target_;
  const Path partial_;
  const storage::WriteOptions options_;
  std::uint64_t written_bytes_ = 0;
  bool begun_ = false;  ///< There may be something under the partial name.
  bool finished_ = false;
  std::shared_ptr<StreamSource> stream_;
  std::shared_ptr<Spool> spool_;
  std::optional<DriveUpload> upload_;
};

}  // namespace coffer::rclone
