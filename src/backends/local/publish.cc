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
#include "backends/local/fd_path.h"
#include "backends/local/local_writer.h"
#include "backends/local/replaceable.h"
#include "base/log.h"
#include "base/over_quota.h"

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
  auto place = lookup_.place(target);
  if (!place) return failure_of(place);
  return &places_.emplace_back(*std::move(place));
}

Result<void> Publication::plan() {
  steps_.clear();
  places_.clear();
  for (const auto& writer : writers_) {
    if (auto planned = plan_one(local(*writer)); !planned) return planned;
  }
  return check_growth();
}

Result<void> Publication::plan_one(LocalWriter& writer) {
  const auto place = place_of(writer.target());
  if (!place) return failure_of(place);
  const int folder = (*place)->folder.get();
  const auto old = replaceable(lookup_, folder, writer.target(), writer.options());
  if (!old) return failure_of(old);
  PublishStep step{
      &writer, folder, std::string(writer.target().name()), {.size_bytes = writer.written_bytes()}};
  step.published.replaced = old->has_value();
  if (*old) step.published.replaced_bytes = bytes_of(**old);
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
  const bool replaces = step.published.replaced;
  if (replaces) {
    replaced_.push_back(begin_logged(volume_, step.folder, step.name));
  }
  const int error = replaces ? file.exchange(step.folder, name) : file.show(step.folder, name);
  if (error != 0) return std::unexpected(move_error(error));
  step.is_shown = true;
  if (!replaces) return {};
  // Another program may have changed the item since it was looked at.
  const auto old = status_in(staging_.folder(), file.name().c_str(), kEntryMask);
  if (!old) return fail_with(old.error());
  if (is_folder(*old)) return fail_with(EEXIST);
  step.published.replaced_bytes = bytes_of(*old);
  if (!is_file(*old)) return {};
  return check_taken(step.writer->options(), version_of(entry_of(*old, {})));
}

Result<void> Publication::show_all() {
  for (PublishStep& step : steps_) {
    if (auto shown = show_one(step); !shown) return shown;
  }
  return check_growth();
}

bool Publication::is_still_shown(const PublishStep& step) {
  const auto now = status_in(step.folder, step.name.c_str(), STATX_INO);
  return now && now->stx_ino == step.writer->file().inode();
}

void Publication::hide_all() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!step->is_shown || !is_still_shown(*step)) continue;
    const int error =
        step->writer->file().hide(step->folder, step->name.c_str(), step->published.replaced);
    if (error != 0) spdlog::error("a file of a failed upload could not be taken back");
    step->is_shown = false;
  }
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
  if (way_ != Way::logged) return go_on(try_to_show());
  const auto begun = begin_log();
  if (!begun) return end(failure_of(begun));
  if (*begun) return go_on(**begun);
  show_once_stored();
}

void Publication::end(Result<bool> result) {
  // What is waiting for it may destroy this object at once.
  Done done = std::move(done_);
  done(std::move(result));
}

Publication::Way Publication::first_way() const {
  const auto replaces = [](const auto& writer) { return local(*writer).expects_to_replace(); };
  if (std::ranges::any_of(writers_, replaces)) return Way::replacing;
  const auto is_small = [](const auto& writer) { return local(*writer).is_in_memory(); };
  const bool can_log = volume_.log && volume_.log->is_open();
  return can_log && std::ranges::any_of(writers_, is_small) ? Way::logged : Way::synced;
}

void Publication::show_once_stored() {
  volume_.log->when_stored(volume_.log_pool, [this](bool is_stored) {
    // Others wait for this thread: it takes no lock that is held, nor what comes after.
    std::shared_lock together(*volume_.steps, std::try_to_lock);
    if (is_stored && together) {
      const auto outcome = show_logged();
      together.unlock();
      const bool is_safe = std::ranges::all_of(steps_, &PublishStep::is_logged);
      if (outcome && *outcome == Outcome::shown && is_safe) return sync();
      volume_.pool.post([this, outcome] { go_on(outcome); });
    } else {
      // What goes on elsewhere may let go of the volume.
      if (together) together.unlock();
      volume_.pool.post(
          [this, is_stored] { go_on(is_stored ? try_to_show() : Outcome::not_logged); });
    }
  });
}

void Publication::go_on(const Result<Outcome>& outcome) {
  if (!outcome) return end(failure_of(outcome));
  if (*outcome == Outcome::shown) return sync();
  way_ = *outcome == Outcome::is_taken ? Way::replacing : Way::synced;
  end(false);
}

Result<void> Publication::complete() {
  using Safety = LocalWriter::Safety;
  Safety safety = Safety::data;
  if (way_ == Way::logged) safety = Safety::logged;
  if (way_ == Way::replacing) safety = Safety::whole;
  for (const auto& writer : writers_) {
    if (auto completed = local(*writer).complete(safety); !completed) return completed;
  }
  return {};
}

/// Puts what is small into the log; nothing where it is on its way there.
Result<std::optional<Publication::Outcome>> Publication::begin_log() {
  const std::shared_lock together(*volume_.steps);
  const LogTime begun_at = LogTime::now();
  if (auto planned = plan(); !planned) return failure_of(planned);
  if (replaces_any()) return Outcome::is_taken;
  if (!claim_all(begun_at)) return Outcome::not_logged;
  if (are_claims_true()) return std::nullopt;
  if (auto dropped = drop_claims(); !dropped) return failure_of(dropped);
  return Outcome::not_logged;
}

bool Publication::claim_all(const LogTime& begun_at) {
  std::vector<LogRecord> records;
  std::deque<std::string> paths;
  const auto top = fd_path(volume_.root->get());
  for (PublishStep& step : steps_) {
    if (!step.writer->is_in_memory()) continue;
    auto path = entry_path(step.folder, step.name);
    const auto status = status_of(step.writer->file().descriptor(), STATX_INO | STATX_MTIME);
    const auto folder = status_of(step.folder, STATX_INO);
    if (!top || !path || !is_at_or_beneath(*path, *top) || !status || !folder) return false;
    step.is_logged = true;
    paths.push_back(*std::move(path));
    LogRecord& record = records.emplace_back();
    record.inode = status->stx_ino;
    record.folder_inode = folder->stx_ino;
    record.modified = {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec};
    record.made = begun_at;
    record.root_bytes = *top == "/" ? 0 : top->size();
    record.path = paths.back();
    record.content = step.writer->content();
  }
  auto claims = volume_.log->claim(volume_.root, records);
  if (!claims) return false;
  claims_ = *std::move(claims);
  return true;
}

/// From here on a change of a name above ends the claims, but one through another root may have
/// come before them.
bool Publication::are_claims_true() const {
  auto claim = claims_.begin();
  for (const PublishStep& step : steps_) {
    if (!step.is_logged) continue;
    const auto path = entry_path(step.folder, step.name);
    if (!path || *path != claim->path) return false;
    ++claim;
  }
  return true;
}

Result<void> Publication::drop_claims() {
  if (claims_.empty()) return {};
  auto dropped = volume_.log->drop(claims_);
  claims_.clear();
  return dropped;
}

// While the claims hold, the folders that were planned with are where they were.
Result<Publication::Outcome> Publication::show_logged() {
  if (!volume_.log->begin_showing(claims_)) return Outcome::not_logged;
  auto outcome = show_planned();
  volume_.log->end_showing(claims_);
  return outcome;
}

// Files under new names are shown side by side: a name can be taken but once, and nothing replaces
// them meanwhile.
Result<Publication::Outcome> Publication::try_to_show() {
  std::shared_lock together(*volume_.steps, std::defer_lock);
  std::unique_lock alone(*volume_.steps, std::defer_lock);
  way_ == Way::replacing ? alone.lock() : together.lock();
  if (way_ == Way::logged) return show_logged();
  if (auto planned = plan(); !planned) return failure_of(planned);
  if (way_ != Way::replacing && replaces_any()) return Outcome::is_taken;
  return show_planned();
}

Result<Publication::Outcome> Publication::show_planned() {
  auto shown = show_all();
  if (shown) return Outcome::shown;
  hide_all();
  const bool is_taken = way_ != Way::replacing && shown.error().code == ErrorCode::exists;
  if (is_taken) return Outcome::is_taken;
  return failure_of(shown);
}

void Publication::sync() {
  std::set<int> folders;
  if (!volume_.durable) return end(true);
  for (PublishStep& step : steps_) {
    if (step.is_logged) continue;
    StagedFile& file = step.writer->file();
    if (const int error = file.sync_shown()) return end(fail_with(error));
    if (!file.is_entry_synced()) folders.insert(step.folder);
  }
  sync_folders({folders.begin(), folders.end()});
}

void Publication::sync_folders(std::vector<int> folders) {
  if (folders.empty()) {
    drop_replaced();
    return end(true);
  }
  const int folder = folders.back();
  folders.pop_back();
  volume_.folder_sync.sync(folder, [this, folders = std::move(folders)](int error) mutable {
    if (error != 0) return end(fail_with(error));
    sync_folders(std::move(folders));
  });
}

// Where that fails nothing is lost: recovery leaves alone what came to a name later. Taking the
// upload back would be worse, since what the log dropped already may not be on the disk.
void Publication::drop_replaced() {
  for (const LoggedChange& change : replaced_) (void)drop_logged(volume_, change);
}

void Publication::rollback() {
  {
    const std::unique_lock lock(*volume_.steps);
    hide_all();
  }
  if (!drop_claims()) spdlog::error("a file of a failed upload may come back after a crash");
}

}  // namespace coffer::local
