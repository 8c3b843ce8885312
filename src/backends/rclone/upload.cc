#include "backends/rclone/upload.h"

#include <boost/json.hpp>
#include <utility>

#include "backends/rclone/look.h"
#include "backends/rclone/stream_offer.h"

namespace coffer::rclone {

namespace json = boost::json;

Upload::Upload(Remote& remote, Path target, std::uint64_t size_bytes,
               std::unique_ptr<Door::Address> address, Job job)
    : remote_(&remote),
      target_(std::move(target)),
      size_bytes_(size_bytes),
      address_(std::move(address)),
      job_(std::move(job)) {}

Task<Result<Upload>> Upload::begin(Remote& remote, const Path& target,
                                   std::shared_ptr<Offer> content) {
  const std::uint64_t size_bytes = content->size_bytes();
  auto address = remote.door.offer(std::move(content));
  json::object parameters{
      {"fs", remote.fs()}, {"remote", remote.place(target)}, {"url", address->url()}};
  auto job = co_await Job::start(remote, "operations/copyurl", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  co_return Upload(remote, target, size_bytes, std::move(address), *std::move(job));
}

Task<Result<void>> Upload::finish() {
  auto ended = co_await job_.wait(storage::nobody());
  if (!ended) co_return ended;
  const auto arrived = co_await look(*remote_, target_);
  if (!arrived) co_return failure_of(arrived);
  if (!arrived->is_folder && arrived->size_bytes == size_bytes_) co_return Result<void>{};
  co_return fail(ErrorCode::refused, "The drive did not take the whole content.");
}

Task<Result<void>> upload_nothing(Remote& remote, const Path& target) {
  auto nothing = std::make_shared<StreamOffer>(0, std::nullopt);
  auto upload = co_await Upload::begin(remote, target, std::move(nothing));
  if (!upload) co_return failure_of(std::move(upload));
  co_return co_await upload->finish();
}

}  // namespace coffer::rclone
