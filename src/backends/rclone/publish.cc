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
  std::optional<Timestamp> old_modified_at = {};
  std::optional<Path> aside = {};  ///< Where the old file is, or may be: told before it is moved.
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
  step.old_modified_at = (*old)->modified_at;
  co_return step;
}

Result<void> check_growth(const std::vector<Step>& steps, std::uint64_t limit) {
  storage::Growth growth;
  for (const Step& step : steps) growth.add(step.published);
  if (growth.is_within(limit)) return {};
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
}

/// Where the answer was lost, the drive tells whether the new file is there.
Task<bool> shows_new_file(Remote& remote, const Step& step) {
  const auto item = co_await find(remote, step.writer->target());
  if (!item || !*item || (*item)->is_folder) co_return false;
  co_return (*item)->size_bytes == step.published.size_bytes &&
      (*item)->modified_at != step.old_modified_at;
}

/// In one step, by the drive itself.
Task<Result<void>> copy_onto(Remote& remote, const Step& step) {
  const Path& partial = step.writer->partial();
  auto parameters = one_to_another(remote, partial, step.writer->target());
  // What is of the same size and time would not be copied.
  parameters["_config"] = {{"IgnoreTimes", true}};
  auto job = co_await Job::start(remote, "operations/copyfile", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  auto copied = co_await job->wait(storage::nobody());
  if (!copied) {
    const bool is_shown = co_await shows_new_file(remote, step);
    if (is_shown) copied = Result<void>{};
  }
  if (copied) remote.discard(partial);
  co_return copied;
}

Task<Result<void>> show(Remote& remote, Step& step, bool is_alone) {
  const DriveWriter& writer = *step.writer;
  const Path& target = writer.target();
  const Features features = remote.features();
  if (step.published.replaced && is_alone && features.copies && !features.moves) {
    co_return co_await copy_onto(remote, step);
  }
  if (step.published.replaced) {
    step.aside = storage::aside_of(target);
    auto moved = co_await move_item(remote, target, *step.aside, false);
    if (!moved) co_return moved;
  }
  auto shown = co_await move_item(remote, writer.partial(), target, false);
  step.done = shown.has_value();
  co_return shown;
}

/// The old file has its name again, unless it never lost it.
Task<Result<void>> bring_back(Remote& remote, const Path& aside, const Path& target) {
  const auto old = co_await find(remote, aside);
  if (!old) co_return failure_of(old);
  if (!*old) co_return Result<void>{};
  // What took the name meanwhile, rclone would delete.
  auto free = co_await need_free_name(remote, target);
  if (!free) co_return free;
  co_return co_await move_item(remote, aside, target, false);
}

Task<void> take_back(Remote& remote, std::vector<Step>& steps) {
  for (Step& step : steps | std::views::reverse) {
    const Path& target = step.writer->target();
    Result<void> back;
    if (step.done) back = co_await move_item(remote, target, step.writer->partial(), false);
    if (back && step.aside) back = co_await bring_back(remote, *step.aside, target);
    if (back) continue;
    spdlog::error("an upload to a drive could not be taken back: what it replaced is called {}",
                  step.aside ? step.aside->name() : "nothing, it is new");
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
