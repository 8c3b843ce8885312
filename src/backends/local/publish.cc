#include "backends/local/publish.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/local_writer.h"
#include "base/log.h"

namespace coffer::local {

Result<int> Publication::folder_of(const Path& target) {
  const bool is_same =
      !steps_.empty() && steps_.back().writer->target().parent() == target.parent();
  if (is_same && !lookup_.is_hidden(target)) return folders_.back().get();
  auto place = lookup_.place(target);
  if (!place) return failure_of(place);
  folders_.push_back(std::move(place->folder));
  return folders_.back().get();
}

Result<void> Publication::plan(LocalWriter& writer) {
  const auto folder = folder_of(writer.target());
  if (!folder) return failure_of(folder);
  const auto old = replaceable(lookup_, *folder, writer.target(), writer.if_taken());
  if (!old) return failure_of(old);
  Step step{&writer,
            *folder,
            std::string(writer.target().name()),
            {.size_bytes = writer.written_bytes()}};
  step.published.replaced = old->has_value();
  if (*old) step.published.replaced_bytes = bytes_of(**old);
  steps_.push_back(std::move(step));
  return {};
}

Result<void> Publication::check_growth() const {
  std::uint64_t added = 0;
  std::uint64_t freed = 0;
  for (const Step& step : steps_) {
    added += step.published.size_bytes;
    freed += step.published.replaced_bytes;
  }
  if (added <= freed || added - freed <= limit_) return {};
  return fail(ErrorCode::over_quota, "The storage quota would be exceeded.");
}

Result<void> Publication::show_one(Step& step) {
  StagedFile& file = step.writer->file();
  const char* name = step.name.c_str();
  const bool replaces = step.published.replaced;
  const int error = replaces ? file.exchange(step.folder, name) : file.show(step.folder, name);
  if (error != 0) return std::unexpected(move_error(error));
  step.shown = true;
  if (!replaces) return {};
  // Somebody outside this program may have changed the item since it was looked at.
  const auto old = status_in(staging_.folder(), file.name().c_str(), kSizeMask);
  if (!old) return fail_with(old.error());
  if (is_folder(*old)) return fail_with(EEXIST);
  step.published.replaced_bytes = bytes_of(*old);
  return {};
}

Result<void> Publication::show_all() {
  if (auto fits = check_growth(); !fits) return fits;
  for (Step& step : steps_) {
    if (auto shown = show_one(step); !shown) return shown;
  }
  return check_growth();
}

bool Publication::is_still_shown(const Step& step) {
  const auto now = status_in(step.folder, step.name.c_str(), STATX_INO);
  return now && now->stx_ino == step.writer->file().inode();
}

void Publication::hide_all() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!step->shown || !is_still_shown(*step)) continue;
    const int error =
        step->writer->file().hide(step->folder, step->name.c_str(), step->published.replaced);
    if (error != 0) spdlog::error("a file of a failed upload could not be taken back");
  }
}

std::vector<storage::Published> Publication::keep() {
  std::vector<storage::Published> published;
  published.reserve(steps_.size());
  for (Step& step : steps_) {
    published.push_back(step.published);
    step.writer->file().keep(step.published.replaced);
  }
  return published;
}

void Publication::sync(Done done) {
  std::set<int> folders;
  for (Step& step : steps_) {
    StagedFile& file = step.writer->file();
    if (const int error = file.sync_shown()) return done(fail_with(error));
    if (!file.is_entry_synced()) folders.insert(step.folder);
  }
  sync_folders({folders.begin(), folders.end()}, std::move(done));
}

void Publication::sync_folders(std::vector<int> folders, Done done) {
  if (folders.empty()) return done({});
  const int folder = folders.back();
  folders.pop_back();
  auto next = [this, folders = std::move(folders), done = std::move(done)](int error) mutable {
    if (error != 0) return done(fail_with(error));
    sync_folders(std::move(folders), std::move(done));
  };
  lookup_.volume().folder_sync.sync(folder, std::move(next));
}

Result<void> Publication::show(Writers writers) {
  const bool replaces = std::ranges::any_of(writers, [](const auto& writer) {
    return dynamic_cast<const LocalWriter&>(*writer).expects_to_replace();
  });
  auto shown = try_to_show(writers, replaces);
  if (shown && !*shown) shown = try_to_show(writers, true);
  if (!shown) return failure_of(shown);
  return {};
}

// Files under new names are shown side by side: a name can be taken but once, and nobody replaces
// them meanwhile.
Result<bool> Publication::try_to_show(Writers writers, bool replaces) {
  for (const auto& writer : writers) {
    auto done = dynamic_cast<LocalWriter&>(*writer).complete(replaces);
    if (!done) return failure_of(done);
  }
  std::shared_lock together(lookup_.volume().steps, std::defer_lock);
  std::unique_lock alone(lookup_.volume().steps, std::defer_lock);
  replaces ? alone.lock() : together.lock();
  steps_.clear();
  folders_.clear();
  for (const auto& writer : writers) {
    auto planned = plan(dynamic_cast<LocalWriter&>(*writer));
    if (!planned) return failure_of(planned);
  }
  const bool may = replaces || std::ranges::none_of(steps_, [](const Step& step) {
                     return step.published.replaced;
                   });
  if (!may) return false;
  auto shown = show_all();
  if (shown) return true;
  hide_all();
  if (!replaces && shown.error().code == ErrorCode::exists) return false;
  return failure_of(shown);
}

void Publication::take_back() {
  const std::unique_lock lock(lookup_.volume().steps);
  hide_all();
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
