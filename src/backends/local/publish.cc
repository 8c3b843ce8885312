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
  const auto old = replaceable(lookup_, folder, writer.target(), writer.if_taken());
  if (!old) return failure_of(old);
  PublishStep step{&writer,
                   folder,
                   (*place)->is_straight,
                   std::string(writer.target().name()),
                   {.size_bytes = writer.written_bytes()}};
  step.published.replaced = old->has_value();
  if (*old) step.published.replaced_bytes = bytes_of(**old);
  steps_.push_back(std::move(step));
  return {};
}

Result<void> Publication::check_growth() const {
  storage::Growth growth;
  for (const PublishStep& step : steps_) growth.add(step.published);
  if (growth.is_within(limit_)) return {};
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
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
    auto logged = release_logged(volume_, step.folder, step.name);
    if (logged) replaced_.push_back(*std::move(logged));
  }
  const int error = replaces ? file.exchange(step.folder, name) : file.show(step.folder, name);
  if (error != 0) return std::unexpected(move_error(error));
  step.is_shown = true;
  if (!replaces) return {};
  // Somebody outside this program may have changed the item since it was looked at.
  const auto old = status_in(staging_.folder(), file.name().c_str(), kSizeMask);
  if (!old) return fail_with(old.error());
  if (is_folder(*old)) return fail_with(EEXIST);
  step.published.replaced_bytes = bytes_of(*old);
  return {};
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

void Publication::publish(Done done) {
  done_ = std::move(done);
  attempt(first_way());
}

void Publication::end(Result<void> result) {
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

void Publication::attempt(Way way) {
  if (auto completed = complete(way); !completed) return end(std::move(completed));
  if (way != Way::logged) return go_on(try_to_show(way));
  const auto begun = begin_log();
  if (!begun) return end(failure_of(begun));
  if (*begun) return go_on(**begun);
  volume_.log->when_stored([this](bool is_stored) {
    auto outcome = is_stored ? try_to_show(Way::logged) : Outcome::not_logged;
    if (outcome && *outcome == Outcome::shown) return sync();
    // The rest takes longer, and others wait for this thread.
    volume_.pool.post([this, outcome = std::move(outcome)] { go_on(outcome); });
  });
}

void Publication::go_on(const Result<Outcome>& outcome) {
  if (!outcome) return end(failure_of(outcome));
  if (*outcome == Outcome::shown) return sync();
  attempt(*outcome == Outcome::is_taken ? Way::replacing : Way::synced);
}

Result<void> Publication::complete(Way way) {
  using Safety = LocalWriter::Safety;
  Safety safety = Safety::data;
  if (way == Way::logged) safety = Safety::logged;
  if (way == Way::replacing) safety = Safety::whole;
  for (const auto& writer : writers_) {
    if (auto completed = local(*writer).complete(safety); !completed) return completed;
  }
  return {};
}

/// Puts what is small into the log; nothing where it is on its way there.
Result<std::optional<Publication::Outcome>> Publication::begin_log() {
  const std::shared_lock together(volume_.steps);
  if (auto planned = plan(); !planned) return failure_of(planned);
  if (replaces_any()) return Outcome::is_taken;
  if (!claim_all()) return Outcome::not_logged;
  return std::nullopt;
}

bool Publication::claim_all() {
  std::vector<LogRecord> records;
  std::deque<std::string> paths;
  for (PublishStep& step : steps_) {
    if (!step.writer->is_in_memory()) continue;
    auto path = step.is_straight ? std::string(lookup_.from_root(step.writer->target()).str())
                                 : path_from(volume_.root.get(), step.folder, step.name);
    const auto status = status_of(step.writer->file().descriptor(), STATX_INO | STATX_MTIME);
    if (!path || !status) return false;
    step.is_logged = true;
    paths.push_back(*std::move(path));
    LogRecord& record = records.emplace_back();
    record.inode = status->stx_ino;
    record.modified = {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec};
    record.path = paths.back();
    record.content = step.writer->content();
  }
  auto claims = volume_.log->claim(records);
  if (!claims) return false;
  claims_ = *std::move(claims);
  return true;
}

// While the claims hold, the folders that were planned with are where they were.
bool Publication::holds_all() const {
  return std::ranges::all_of(claims_, [&](const auto& claim) { return volume_.log->holds(claim); });
}

// Files under new names are shown side by side: a name can be taken but once, and nobody replaces
// them meanwhile.
Result<Publication::Outcome> Publication::try_to_show(Way way) {
  std::shared_lock together(volume_.steps, std::defer_lock);
  std::unique_lock alone(volume_.steps, std::defer_lock);
  way == Way::replacing ? alone.lock() : together.lock();
  if (way == Way::logged) {
    if (!holds_all()) return Outcome::not_logged;
  } else if (auto planned = plan(); !planned) {
    return failure_of(planned);
  }
  if (way != Way::replacing && replaces_any()) return Outcome::is_taken;
  auto shown = show_all();
  if (shown) return Outcome::shown;
  hide_all();
  const bool is_taken = way != Way::replacing && shown.error().code == ErrorCode::exists;
  if (is_taken) return Outcome::is_taken;
  return failure_of(shown);
}

void Publication::sync() {
  std::set<int> folders;
  if (!volume_.durable) return end({});
  for (PublishStep& step : steps_) {
    if (step.is_logged) continue;
    StagedFile& file = step.writer->file();
    if (const int error = file.sync_shown()) return end(fail_with(error));
    if (!file.is_entry_synced()) folders.insert(step.folder);
  }
  sync_folders({folders.begin(), folders.end()});
}

void Publication::sync_folders(std::vector<int> folders) {
  if (folders.empty()) return end(drop_replaced());
  const int folder = folders.back();
  folders.pop_back();
  volume_.folder_sync.sync(folder, [this, folders = std::move(folders)](int error) mutable {
    if (error != 0) return end(fail_with(error));
    sync_folders(std::move(folders));
  });
}

Result<void> Publication::drop_replaced() {
  for (const LoggedPath& place : replaced_) {
    if (auto forgotten = drop_logged(volume_, place); !forgotten) return forgotten;
  }
  return {};
}

void Publication::rollback() {
  {
    const std::unique_lock lock(volume_.steps);
    hide_all();
  }
  for (const ContentLog::Claim& claim : claims_) {
    if (volume_.log->drop(claim.path, claim.sequence)) continue;
    spdlog::error("a file of a failed upload may come back after a crash");
  }
}

Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          storage::IfTaken if_taken) {
  const auto status = status_in(folder, std::string(target.name()).c_str(), kSizeMask);
  if (!status) {
    if (status.error() == ENOENT) return std::nullopt;
    return std::unexpected(creation_error(status.error()));
  }
  if (is_folder(*status)) return fail(ErrorCode::exists, "The name is taken by a folder.");
  if (if_taken == storage::IfTaken::refuse) return fail(ErrorCode::exists, "The name is taken.");
  if (is_link(*status)) {
    const auto shown = lookup.find(target, kSizeMask);
    if (shown && is_folder(shown->second)) {
      return fail(ErrorCode::exists, "The name is taken by a folder.");
    }
  } else if (!is_file(*status)) {
    return fail(ErrorCode::exists, "The name is taken by something that is not a file.");
  }
  return *status;
}

}  // namespace coffer::local
