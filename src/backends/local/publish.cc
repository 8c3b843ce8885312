#include "backends/local/publish.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/file_systems.h"
#include "backends/local/local_writer.h"
#include "base/error.h"
#include "base/log.h"

namespace coffer::local {
namespace {

LocalWriter& local(storage::Writer& writer) {
  return dynamic_cast<LocalWriter&>(writer);
}

}  // namespace

Result<const EntryRef*> Publication::place_of(const Path& target) {
  const bool is_same =
      !steps_.empty() && steps_.back().writer->target().parent() == target.parent();
  if (is_same && !lookup_.is_hidden(target)) return &places_.back();
  TRY(auto place, lookup_.place(target));
  return &places_.emplace_back(std::move(place));
}

Result<void> Publication::plan() {
  steps_.clear();
  places_.clear();
  for (const auto& writer : writers_) {
    TRY_VOID(plan_one(local(*writer)));
  }
  return check_growth();
}

Result<void> Publication::plan_one(LocalWriter& writer) {
  TRY(const auto place, place_of(writer.target()));
  const int folder = place->folder.get();
  TRY(const auto old, replaceable(lookup_, folder, writer.target(), writer.options()));
  PublishStep step{
      &writer, folder, std::string(writer.target().name()), {.size_bytes = writer.written_bytes()}};
  step.published.replaced = old.has_value();
  if (old) step.published.replaced_bytes = bytes_of(*old);
  steps_.push_back(std::move(step));
  return {};
}

Result<void> Publication::check_growth() const {
  storage::Growth growth;
  for (const PublishStep& step : steps_) growth.add(step.published);
  if (growth.is_within(limit_)) return {};
  return fail_over_quota();
}

bool Publication::replaces_any() const {
  return std::ranges::any_of(steps_,
                             [](const PublishStep& step) { return step.published.replaced; });
}

Result<void> Publication::show_one(PublishStep& step) {
  StagedFile& file = step.writer->file();
  const char* name = step.name.c_str();
  const auto failed = [&](int error) {
    return std::unexpected(move_error(error, {staging_.folder(), ""}, {step.folder, name}));
  };
  if (!step.published.replaced) {
    if (const int error = file.show(step.folder, name)) return failed(error);
    step.is_shown = true;
    return {};
  }
  Result<void> allowed;
  const auto may_replace = [&](const Status& old) {
    allowed = check_replaced(step, old);
    if (allowed) allowed = check_growth();
    return allowed.has_value();
  };
  const auto old = file.replace(step.folder, name, may_replace);
  if (!allowed) return allowed;
  if (!old) return failed(old.error());
  step.is_shown = true;
  return check_replaced(step, *old);
}

/// Another program may have changed the item since it was looked at.
Result<void> Publication::check_replaced(PublishStep& step, const Status& old) {
  if (is_folder(old)) return fail_with(EEXIST);
  step.published.replaced_bytes = bytes_of(old);
  if (!is_file(old)) return {};
  return check_taken(step.writer->options(), version_of(entry_of(old, {})));
}

Result<void> Publication::show_all() {
  for (PublishStep& step : steps_) {
    TRY_VOID(show_one(step));
  }
  return check_growth();
}

/// No request can have replaced what is shown yet. On some file systems an open file has another
/// number than the item under its name.
void Publication::look_at_shown() {
  for (const PublishStep& step : steps_) {
    const auto shown = volume_.keeps_inode_numbers
                           ? status_of(step.writer->file().descriptor(), kEntryMask)
                           : status_in(step.folder, step.name.c_str(), kEntryMask);
    if (shown) step.writer->show_as(*shown);
  }
}

bool Publication::is_still_shown(const PublishStep& step) {
  const auto now = status_in(step.folder, step.name.c_str(), STATX_INO | STATX_SIZE);
  if (!now) return false;
  if (!keeps_inode_numbers(step.folder)) return now->stx_size == step.published.size_bytes;
  return number_of(*now) == step.writer->file().number();
}

void Publication::hide_all() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!step->is_shown || !is_still_shown(*step)) continue;
    hide(*step);
    step->is_shown = false;
  }
}

void Publication::hide(PublishStep& step) {
  const storage::Published& published = step.published;
  if (step.writer->file().hide(step.folder, step.name.c_str(), published.replaced) == 0) return;
  step.writer->stay(published);
  spdlog::error("\"{}\" of an upload that failed could not be taken back, and stays", step.name);
}

std::vector<storage::Published> Publication::keep() {
  std::vector<storage::Published> published;
  published.reserve(steps_.size());
  for (PublishStep& step : steps_) {
    published.push_back(step.published);
    step.writer->file().keep(step.published.replaced);
  }
  return published;
}

void Publication::show(Done done) {
  done_ = std::move(done);
  if (auto completed = complete(); !completed) return end(failure_of(completed));
  const auto shown = try_to_show();
  if (!shown) return end(failure_of(shown));
  if (*shown) return sync();
  is_replacing_ = true;
  end(false);
}

void Publication::end(Result<bool> result) {
  // What is waiting for it may destroy this object at once.
  Done done = std::move(done_);
  done(std::move(result));
}

bool Publication::expects_to_replace() const {
  return std::ranges::any_of(
      writers_, [](const auto& writer) { return local(*writer).expects_to_replace(); });
}

Result<void> Publication::complete() {
  for (const auto& writer : writers_) {
    TRY_VOID(local(*writer).complete(is_replacing_));
  }
  return {};
}

// Files under new names are shown side by side where a name can be taken but once, and nothing
// replaces them meanwhile.
Result<bool> Publication::try_to_show() {
  std::shared_lock together(*volume_.steps, std::defer_lock);
  std::unique_lock alone(*volume_.steps, std::defer_lock);
  const bool is_alone = is_replacing_ || !staging_.names().adds_side_by_side();
  is_alone ? alone.lock() : together.lock();
  TRY_VOID(plan());
  if (!is_replacing_ && replaces_any()) return false;
  auto shown = show_all();
  if (shown) {
    look_at_shown();
    return true;
  }
  hide_all();
  if (!is_replacing_ && shown.error().code == ErrorCode::exists) return false;
  return failure_of(shown);
}

void Publication::sync() {
  std::set<int> folders;
  if (!volume_.durable) return end(true);
  for (PublishStep& step : steps_) {
    StagedFile& file = step.writer->file();
    if (const int error = file.sync_shown()) return end(fail_with(error));
    if (!file.is_entry_synced()) folders.insert(step.folder);
  }
  sync_folders({folders.begin(), folders.end()});
}

void Publication::sync_folders(std::vector<int> folders) {
  if (folders.empty()) return end(true);
  const int folder = folders.back();
  folders.pop_back();
  volume_.folder_sync.sync(folder, [this, folders = std::move(folders)](int error) mutable {
    if (error != 0) return end(fail_with(error));
    sync_folders(std::move(folders));
  });
}

void Publication::rollback() {
  const std::unique_lock lock(*volume_.steps);
  hide_all();
}

}  // namespace coffer::local
