#include "backends/rclone/publish.h"

#include <spdlog/spdlog.h>

#include <optional>
#include <ranges>

#include "backends/rclone/metadata.h"
#include "backends/rclone/rclone_job.h"
#include "backends/rclone/tree_changes.h"
#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

struct PublishStep {
  DriveWriter* writer;
  storage::Published published = {};
  std::optional<Timestamp> old_modified_at = {};
  std::optional<Path> backup = {};  ///< Where the old file is, or may be: set before it is moved.
  bool done = false;
};

Task<Result<PublishStep>> planned(DriveRemote& remote, DriveWriter& writer) {
  PublishStep step{.writer = &writer, .published = {.size_bytes = writer.written_bytes()}};
  if (writer.is_out_of_sight()) {
    step.done = true;
    co_return step;
  }
  const auto old = co_await find(remote, writer.target());
  if (!old) co_return failure_of(old);
  if (*old && (*old)->is_folder) co_return std::unexpected(name_taken());
  std::optional<storage::FileVersion> version;
  if (*old) version = version_of(entry_of(**old));
  if (auto may = check_taken(writer.options(), version); !may) co_return failure_of(may);
  if (!*old) {
    auto checked = co_await need_folder(remote, writer.target().parent());
    if (!checked) co_return failure_of(std::move(checked));
    co_return step;
  }
  step.published.replaced = true;
  step.published.replaced_bytes = (*old)->size_bytes.value_or(0);
  step.old_modified_at = (*old)->modified_at;
  co_return step;
}

Result<void> check_growth(const std::vector<PublishStep>& steps, std::uint64_t limit) {
  storage::Growth growth;
  for (const PublishStep& step : steps) growth.add(step.published);
  if (growth.is_within(limit)) return {};
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
}

/// Where the answer was lost, the drive tells whether the new file is there.
Task<bool> shows_new_file(DriveRemote& remote, const PublishStep& step) {
  const auto item = co_await find(remote, step.writer->target());
  if (!item || !*item || (*item)->is_folder) co_return false;
  co_return (*item)->size_bytes == step.published.size_bytes &&
      (*item)->modified_at != step.old_modified_at;
}

/// In one step, by the drive itself.
Task<Result<void>> copy_onto(DriveRemote& remote, const PublishStep& step) {
  const Path& partial = step.writer->partial();
  auto parameters = one_to_another(remote, partial, step.writer->target());
  // What is of the same size and time would not be copied.
  parameters["_config"] = {{"IgnoreTimes", true}};
  auto job = co_await RcloneJob::start(remote, "operations/copyfile", std::move(parameters));
  if (!job) co_return failure_of(std::move(job));
  auto copied = co_await job->wait(storage::nobody());
  if (!copied) {
    const bool is_shown = co_await shows_new_file(remote, step);
    if (is_shown) copied = Result<void>{};
  }
  if (copied) remote.discard(partial);
  co_return copied;
}

Task<Result<void>> show(DriveRemote& remote, PublishStep& step, bool is_alone) {
  const DriveWriter& writer = *step.writer;
  const Path& target = writer.target();
  const Features features = remote.features();
  if (step.published.replaced && is_alone && features.copies && !features.moves) {
    co_return co_await copy_onto(remote, step);
  }
  if (step.published.replaced) {
    step.backup = storage::backup_of(target);
    auto moved = co_await move_item(remote, target, *step.backup, false);
    if (!moved) co_return moved;
  }
  auto shown = co_await move_item(remote, writer.partial(), target, false);
  step.done = shown.has_value();
  co_return shown;
}

/// The old file has its name again, unless it never lost it.
Task<Result<void>> bring_back(DriveRemote& remote, const Path& backup, const Path& target) {
  const auto old = co_await find(remote, backup);
  if (!old) co_return failure_of(old);
  if (!*old) co_return Result<void>{};
  // What took the name meanwhile, rclone would delete.
  auto free = co_await need_free_name(remote, target);
  if (!free) co_return free;
  co_return co_await move_item(remote, backup, target, false);
}

Task<void> rollback(DriveRemote& remote, std::vector<PublishStep>& steps) {
  for (PublishStep& step : steps | std::views::reverse) {
    const Path& target = step.writer->target();
    Result<void> back;
    if (step.writer->is_out_of_sight()) continue;
    if (step.done) back = co_await move_item(remote, target, step.writer->partial(), false);
    if (back && step.backup) back = co_await bring_back(remote, *step.backup, target);
    if (back) continue;
    spdlog::error("an upload to a drive could not be taken back: what it replaced is called {}",
                  step.backup ? step.backup->name() : "nothing, it is new");
  }
}

Task<Result<void>> show_all(DriveRemote& remote, std::vector<PublishStep>& steps) {
  for (PublishStep& step : steps) {
    if (step.done) continue;
    auto shown = co_await show(remote, step, steps.size() == 1);
    if (!shown) co_return shown;
  }
  co_return Result<void>{};
}

Task<std::vector<storage::Published>> keep(DriveRemote& remote, std::vector<PublishStep>& steps) {
  std::vector<storage::Published> published;
  for (PublishStep& step : steps) {
    step.writer->keep();
    published.push_back(step.published);
    if (!step.backup) continue;
    const auto gone = co_await delete_item(remote, *step.backup, false);
    if (!gone) spdlog::warn("what a file of a drive replaced stays as {}", step.backup->name());
  }
  co_return published;
}

}  // namespace

Task<Result<std::vector<storage::Published>>> publish_all(DriveRemote& remote,
                                                          std::span<DriveWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes) {
  remote::ServerPaths targets;
  for (const DriveWriter* writer : writers) targets.push_back(writer->target().str());
  const auto hold = co_await remote.names.enter(std::move(targets));
  std::vector<PublishStep> steps;
  for (DriveWriter* writer : writers) {
    auto step = co_await planned(remote, *writer);
    if (!step) co_return failure_of(std::move(step));
    steps.push_back(*std::move(step));
  }
  auto fits = check_growth(steps, growth_limit_bytes);
  if (!fits) co_return failure_of(std::move(fits));
  auto shown = co_await show_all(remote, steps);
  if (shown) co_return co_await keep(remote, steps);
  co_await rollback(remote, steps);
  co_return failure_of(std::move(shown));
}

}  // namespace coffer::rclone
