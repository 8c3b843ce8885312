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

namespace coffer::rclone {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

/// A job is asked how it is after a wait that grows with its age.
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
  auto id = co_await remote.start_job(method, std::move(parameters));
  if (!id) co_return failure_of(std::move(id));
  co_return RcloneJob(remote, *std::move(id));
}

/// Of the life that knows the job.
Task<Result<json::object>> RcloneJob::ask(std::string_view method, json::object parameters) {
  co_return co_await call(*run_, method, std::move(parameters), remote_->options.deadlines.reply);
}

Task<std::optional<Result<void>>> RcloneJob::outcome() {
  // Before it is asked: a life that ends after this is seen the next time.
  const bool engine_has_ended = remote_->engine.has_ended(run_->number);
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

}  // namespace coffer::rclone
