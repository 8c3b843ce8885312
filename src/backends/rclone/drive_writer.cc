#include "backends/rclone/drive_writer.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "async/task_group.h"
#include "backends/rclone/drive_adapter.h"
#include "backends/rclone/engine/upload_source.h"
#include "backends/rclone/metadata.h"

namespace coffer::rclone {
namespace {

using namespace std::chrono_literals;

/// The answer may come a little after the line was closed.
constexpr int kLooksForTheReason = 100;

std::unexpected<Error> other_size() {
  return fail(ErrorCode::failed, "The content does not have the announced size.");
}

Task<void> rest(std::chrono::milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Deletes the partial file of a dropped writer.
void take_away(std::shared_ptr<DriveRemote> remote, std::string partial) {
  remote->shared.leftovers.add(std::move(partial));
  sweep_behind(std::move(remote));
}

Task<void> stop(std::shared_ptr<DriveRemote> remote, DriveUpload upload, std::string partial) {
  co_await upload.stop();
  take_away(std::move(remote), std::move(partial));
}

}  // namespace

DriveWriter::DriveWriter(std::shared_ptr<DriveRemote> remote, Path target, const std::string& place,
                         const storage::WriteOptions& options)
    : PartialWriter(std::move(target), remote::staged_for(place, options), options),
      remote_(std::move(remote)) {}

DriveWriter::~DriveWriter() {
  if (stream_) stream_->close();
  if (!begun_ || is_shown()) return;
  if (upload_ && !finished_ && !remote_->upload_server.is_ending()) {
    spawn_background(remote_->upload_server.executor(),
                     stop(remote_, *std::move(upload_), staged()));
  } else {
    take_away(remote_, staged());
  }
}

Task<Result<void>> DriveWriter::begin(std::shared_ptr<UploadSource> content) {
  begun_ = true;
  CO_TRY(auto upload, co_await DriveUpload::begin(*remote_, partial_, std::move(content)));
  upload_.emplace(std::move(upload));
  co_return Result<void>{};
}

/// Waits until rclone asks for the content, or fails before that.
Task<Result<void>> DriveWriter::begin_stream() {
  stream_ = std::make_shared<StreamSource>(*options().size_bytes, options().modified_at);
  CO_TRY_VOID(co_await begin(stream_));
  for (auto wait = 1ms; !stream_->is_fetched();
       wait = std::min(2 * wait, std::chrono::milliseconds(100))) {
    auto ended = co_await upload_->outcome();
    if (ended && !*ended) co_return *std::move(ended);
    CO_TRY_VOID(storage::go_on(remote_->options.deadlines));
    co_await rest(wait);
  }
  co_return Result<void>{};
}

/// The content was not wanted any more.
Task<Result<void>> DriveWriter::why_it_ended() {
  for (int looks = kLooksForTheReason; looks > 0; --looks) {
    auto ended = co_await upload_->outcome();
    if (ended && !*ended) co_return *std::move(ended);
    if (ended) break;
    co_await rest(20ms);
  }
  co_return fail(ErrorCode::unavailable, "The drive ended the upload.");
}

Task<Result<void>> DriveWriter::give(std::span<const std::byte> data) {
  if (data.size() > *options().size_bytes - written_bytes_) co_return other_size();
  if (!upload_) {
    CO_TRY_VOID(co_await begin_stream());
  }
  const bool is_given = co_await stream_->give(data);
  if (is_given) co_return Result<void>{};
  co_return co_await why_it_ended();
}

Task<Result<void>> DriveWriter::spool(std::span<const std::byte> data) {
  if (const auto& may_collect = options().may_collect) {
    CO_TRY_VOID(co_await may_collect(written_bytes_ + data.size()));
  }
  auto work = [&]() -> Result<void> {
    if (!spool_) {
      TRY(spool_, Spool::open(remote_->options.spool));
    }
    return spool_->write(data);
  };
  co_return co_await remote_->pool.run(std::move(work));
}

Task<Result<void>> DriveWriter::write(std::span<const std::byte> data) {
  if (data.empty()) co_return Result<void>{};
  auto taking = options().size_bytes ? give(data) : spool(data);
  auto taken = co_await std::move(taking);
  if (taken) written_bytes_ += data.size();
  co_return taken;
}

Task<Result<void>> DriveWriter::finish() {
  if (finished_) co_return Result<void>{};
  if (options().size_bytes && written_bytes_ != *options().size_bytes) co_return other_size();
  if (spool_ && written_bytes_ != spool_->size_bytes()) co_return other_size();
  if (!upload_) {
    std::shared_ptr<UploadSource> content;
    if (spool_) {
      content = std::make_shared<FileSource>(spool_, options().modified_at);
    } else {
      content = std::make_shared<StreamSource>(0, options().modified_at);
    }
    CO_TRY_VOID(co_await begin(std::move(content)));
  }
  auto ending = is_out_of_sight() ? upload_->wait() : upload_->finish();
  CO_TRY_VOID(co_await std::move(ending));
  finished_ = true;
  upload_.reset();
  spool_.reset();
  stream_.reset();
  co_return Result<void>{};
}

Task<void> DriveWriter::abandon() {
  if (stream_) stream_->close();
  if (upload_) co_await upload_->stop();
  // The partial file goes with the tree that it is in.
  if (is_out_of_sight()) begun_ = false;
}

}  // namespace coffer::rclone
