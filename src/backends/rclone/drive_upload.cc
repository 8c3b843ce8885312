#include "backends/rclone/drive_upload.h"

#include <boost/json.hpp>
#include <utility>

#include "backends/rclone/engine/stream_source.h"
#include "backends/rclone/metadata.h"

namespace coffer::rclone {

namespace json = boost::json;

DriveUpload::DriveUpload(DriveRemote& remote, Path target, std::uint64_t size_bytes,
                         std::unique_ptr<UploadServer::Address> address, RcloneJob job)
    : remote_(&remote),
      target_(std::move(target)),
      size_bytes_(size_bytes),
      address_(std::move(address)),
      job_(std::move(job)) {}

Task<Result<DriveUpload>> DriveUpload::begin(DriveRemote& remote, const Path& target,
                                             std::shared_ptr<UploadSource> content) {
  const std::uint64_t size_bytes = content->size_bytes();
  auto address = remote.upload_server.upload_source(std::move(content));
  json::object parameters{
      {"fs", remote.fs()}, {"remote", remote.place(target)}, {"url", address->url()}};
  auto job = co_await RcloneJob::start(remote, "operations/copyurl", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  co_return DriveUpload(remote, target, size_bytes, std::move(address), *std::move(job));
}

Task<Result<void>> DriveUpload::finish() {
  auto ended = co_await wait();
  if (!ended) co_return ended;
  const auto arrived = co_await metadata_of(*remote_, target_);
  if (!arrived) co_return failure_of(arrived);
  if (!arrived->is_folder && arrived->size_bytes == size_bytes_) co_return Result<void>{};
  co_return fail(ErrorCode::refused, "The drive did not take the whole content.");
}

Task<Result<void>> upload_nothing(DriveRemote& remote, const Path& target) {
  auto nothing = std::make_shared<StreamSource>(0, std::nullopt);
  auto upload = co_await DriveUpload::begin(remote, target, std::move(nothing));
  if (!upload) co_return failure_of(std::move(upload));
  co_return co_await upload->finish();
}

}  // namespace coffer::rclone
