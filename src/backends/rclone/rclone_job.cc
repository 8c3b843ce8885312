#include "backends/rclone/rclone_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "backends/rclone/engine/drive_error.h"
#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/engine/remote_control.h"
#include "backends/rclone/engine/upload_source.h"
#include "backends/rclone/metadata.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

/// The state of a job is asked for after a wait that grows with its age.
constexpr auto kFirstWait = 2ms;
constexpr auto kLongestWait = 150ms;
constexpr auto kStopWithin = 5s;

class Waits {
 public:
  Task<void> next() {
    asio::steady_timer timer(co_await asio::this_coro::executor, wait_);
    co_await timer.async_wait(asio::use_awaitable);
    wait_ = std::min<std::chrono::microseconds>(wait_ * 3 / 2, kLongestWait);
  }
  bool are_long() const { return wait_ > kLongestWait / 2; }

 private:
  std::chrono::microseconds wait_ = kFirstWait;
};

}  // namespace

Task<Result<RcloneJob>> RcloneJob::start(DriveRemote& remote, std::string_view method,
                                         json::object parameters) {
  CO_TRY(auto id, co_await remote.start_job(method, std::move(parameters)));
  co_return RcloneJob(remote, std::move(id));
}

/// Asks the run of the engine that knows the job.
Task<Result<json::object>> RcloneJob::ask(std::string_view method, json::object parameters) {
  co_return co_await call(*run_, method, std::move(parameters), remote_->options.deadlines.reply);
}

Task<std::optional<Result<void>>> RcloneJob::outcome() {
  // Before it is asked: a life that ends after this is seen the next time.
  const bool engine_has_ended = remote_->engine->has_ended(run_->number);
  json::object which{{"jobid", id_}};
  const auto status = co_await ask("job/status", std::move(which));
  if (!status) {
    // A job that rclone does not know any more has long ended.
    is_over_ = engine_has_ended || status.error().code == ErrorCode::refused;
    if (is_over_) co_return failure_of(status);
    co_return std::nullopt;
  }
  is_over_ = is_true(*status, "finished");
  if (!is_over_) co_return std::nullopt;
  const bool succeeded = is_true(*status, "success");
  co_await remote_->note_token(*run_, !succeeded);
  if (succeeded) co_return Result<void>{};
  co_return std::unexpected(error_of(text_in(*status, "error")));
}

Task<void> RcloneJob::tell_progress(storage::CopyWatch& watch) {
  json::object which{{"group", fmt::format("job/{}", id_)}};
  const auto stats = co_await ask("core/stats", std::move(which));
  if (!stats) co_return;
  const auto bytes =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_in(*stats, "bytes")));
  if (bytes > told_bytes_) watch.wrote(bytes - told_bytes_);
  told_bytes_ = std::max(told_bytes_, bytes);
}

Task<Result<void>> RcloneJob::wait(storage::CopyWatch& watch) {
  Waits waits;
  for (;;) {
    auto ended = co_await outcome();
    if (ended) co_return *std::move(ended);
    auto on = storage::go_on(watch);
    if (on) on = storage::go_on(remote_->options.deadlines);
    if (!on) {
      co_await stop();
      co_return on;
    }
    if (waits.are_long()) {
      co_await tell_progress(watch);
      co_await remote_->note_token(*run_, false);
    }
    co_await waits.next();
  }
}

Task<void> RcloneJob::stop() {
  json::object which{{"jobid", id_}};
  const auto stopped = co_await ask("job/stop", std::move(which));
  if (!stopped) co_return;
  const auto until = std::chrono::steady_clock::now() + kStopWithin;
  Waits waits;
  while (std::chrono::steady_clock::now() < until) {
    const auto ended = co_await outcome();
    if (ended) co_return;
    co_await waits.next();
  }
}

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
  CO_TRY(auto job, co_await RcloneJob::start(remote, "operations/copyurl", std::move(parameters)));
  co_return DriveUpload(remote, target, size_bytes, std::move(address), std::move(job));
}

Task<Result<void>> DriveUpload::finish() {
  CO_TRY_VOID(co_await wait());
  CO_TRY(const auto arrived, co_await metadata_of(*remote_, target_));
  if (!arrived.is_folder && arrived.size_bytes == size_bytes_) co_return Result<void>{};
  co_return fail(ErrorCode::refused, "The drive did not take the whole content.");
}

Task<Result<void>> upload_nothing(DriveRemote& remote, const Path& target) {
  auto nothing = std::make_shared<StreamSource>(0, std::nullopt);
  CO_TRY(auto upload, co_await DriveUpload::begin(remote, target, std::move(nothing)));
  co_return co_await upload.finish();
}

}  // namespace coffer::rclone
