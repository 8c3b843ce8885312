#pragma once

#include <memory>
#include <optional>
#include <string>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/upload_source.h"
#include "backends/rclone/rclone_job.h"
#include "backends/remote/publish.h"
#include "base/path.h"

namespace coffer::rclone {

/// Uploads new content under a partial name beside its target. If WriteOptions::out_of_sight is
/// set, uploads the content under the target's own name. Content of known size is
/// uploaded as it arrives. Content of unknown size is first collected in a local file (Spool): if
/// an upload of unknown size broke off, rclone might publish the truncated content.
class DriveWriter final : public remote::PartialWriter {
 public:
  /// `target` is the target's path in the backend or view that creates the writer. `place` is its
  /// path relative to DriveOptions::root, also if a view creates the writer.
  DriveWriter(std::shared_ptr<DriveRemote> remote, Path target, const std::string& place,
              const storage::WriteOptions& options);
  ~DriveWriter() override;

  Task<Result<void>> write(std::span<const std::byte> data) override;
  Task<Result<void>> finish() override;
  Task<void> abandon() override;

 private:
  Task<Result<void>> begin(std::shared_ptr<UploadSource> content);
  Task<Result<void>> begin_stream();
  Task<Result<void>> give(std::span<const std::byte> data);
  Task<Result<void>> spool(std::span<const std::byte> data);
  Task<Result<void>> why_it_ended();

  const std::shared_ptr<DriveRemote> remote_;
  const Path partial_ = path_of(staged());
  bool begun_ = false;  ///< True if a file may exist under the partial name.
  bool finished_ = false;
  std::shared_ptr<StreamSource> stream_;
  std::shared_ptr<Spool> spool_;
  std::optional<DriveUpload> upload_;
};

}  // namespace coffer::rclone
