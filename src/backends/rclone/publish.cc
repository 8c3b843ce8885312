#include "backends/rclone/publish.h"

#include <spdlog/spdlog.h>

#include <boost/json.hpp>
#include <optional>
#include <ranges>

#include "backends/rclone/change.h"
#include "backends/rclone/job.h"
#include "backends/rclone/look.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

struct Step {
  DriveWriter* writer;
  storage::Published published = {};
  std::optional<Path> aside = {};  ///< Where the old file is.
  bool done = false;
};

Task<Result<Step>> planned(Remote& remote, DriveWriter& writer) {
  Step step{.writer = &writer, .published = {.size_bytes = writer.written_bytes()}};
  const auto old = co_await find(remote, writer.target());
  if (!old) co_return failure_of(old);
  if (!*old) {
    auto checked = co_await need_folder(remote, writer.target().parent());
    if (!checked) co_return failure_of(std::move(checked));
    co_return step;
  }
  if ((*old)->is_folder || writer.if_taken() == storage::IfTaken::refuse) {
    co_return std::unexpected(name_taken());
  }
  step.published.replaced = true;
  step.published.replaced_bytes = (*old)->size_bytes.value_or(0);
  co_return step;
}

Result<void> check_growth(const std::vector<Step>& steps, std::uint64_t limit) {
  std::uint64_t added = 0;
  std::uint64_t freed = 0;
  for (const Step& step : steps) {
    added += step.published.size_bytes;
    freed += step.published.replaced_bytes;
  }
  if (added <= freed || added - freed <= limit) return {};
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
}

/// In one step, by the drive itself.
Task<Result<void>> copy_onto(Remote& remote, const DriveWriter& writer) {
  json::object parameters{{"srcFs", remote.fs()},
                          {"srcRemote", remote.place(writer.partial())},
                          {"dstFs", remote.fs()},
                          {"dstRemote", remote.place(writer.target())},
                          // What is of the same size and time would not be copied.
                          {"_config", {{"IgnoreTimes", true}}}};
  auto job = co_await Job::start(remote, "operations/copyfile", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  auto copied = co_await job->wait(storage::nobody());
  if (copied) remote.discard(writer.partial());
  co_return copied;
}

Task<Result<void>> show(Remote& remote, Step& step, bool is_alone) {
  const DriveWriter& writer = *step.writer;
  const Path& target = writer.target();
  const Features features = remote.features();
  if (step.published.replaced && is_alone && features.copies && !features.moves) {
    co_return co_await copy_onto(remote, writer);
  }
  if (step.published.replaced) {
    const Path aside = target.parent() / Path::parse(storage::aside_name(target.name())).value();
    auto moved = co_await move_item(remote, target, aside, false);
    if (!moved) co_return moved;
    step.aside = aside;
  }
  auto shown = co_await move_item(remote, writer.partial(), target, false);
  step.done = shown.has_value();
  co_return shown;
}

Task<void> take_back(Remote& remote, std::vector<Step>& steps) {
  for (Step& step : steps | std::views::reverse) {
    const Path& target = step.writer->target();
    if (step.done) co_await move_item(remote, target, step.writer->partial(), false);
    if (!step.aside) continue;
    const auto back = co_await move_item(remote, *step.aside, target, false);
    if (!back) {
      spdlog::error("a file of a drive is now called {}: it could not be moved back",
                    step.aside->name());
    }
  }
}

Task<Result<void>> show_all(Remote& remote, std::vector<Step>& steps) {
  for (Step& step : steps) {
    auto shown = co_await show(remote, step, steps.size() == 1);
    if (!shown) co_return shown;
  }
  co_return Result<void>{};
}

Task<std::vector<storage::Published>> keep(Remote& remote, std::vector<Step>& steps) {
  std::vector<storage::Published> published;
  for (Step& step : steps) {
    step.writer->keep();
    published.push_back(step.published);
    if (!step.aside) continue;
    const auto gone = co_await delete_item(remote, *step.aside, false);
    if (!gone) spdlog::warn("what a file of a drive replaced stays as {}", step.aside->name());
  }
  co_return published;
}

}  // namespace

Task<Result<std::vector<storage::Published>>> publish_all(Remote& remote,
                                                          std::span<DriveWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes) {
  const auto pass = co_await remote.names.enter();
  std::vector<Step> steps;
  for (DriveWriter* writer : writers) {
    auto step = co_await planned(remote, *writer);
    if (!step) co_return failure_of(std::move(step));
    steps.push_back(*std::move(step));
  }
  auto fits = check_growth(steps, growth_limit_bytes);
  if (!fits) co_return failure_of(std::move(fits));
  auto shown = co_await show_all(remote, steps);
  if (shown) co_return co_await keep(remote, steps);
  co_await take_back(remote, steps);
  co_return failure_of(std::move(shown));
}

}  // namespace coffer::rclone
