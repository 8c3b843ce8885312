#include "backends/local/publish.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>

#include "backends/local/errno_error.h"
#include "backends/local/local_writer.h"
#include "base/log.h"

namespace coffer::local {

Result<void> Publication::plan(LocalWriter& writer) {
  auto place = lookup_.place(writer.target());
  if (!place) return failure_of(place);
  const auto old = replaceable(lookup_, *place, writer.target(), writer.if_taken());
  if (!old) return failure_of(old);
  Step step{&writer, std::move(*place), old->has_value(), {}};
  step.published.size_bytes = writer.written_bytes();
  step.published.replaced = step.replaces;
  if (step.replaces) step.published.replaced_bytes = bytes_of(**old);
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
  const unsigned flags = step.replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  const char* staged = step.writer->staged_name().c_str();
  if (::renameat2(staging_.folder(), staged, step.place.folder.get(), step.place.name.c_str(),
                  flags) != 0) {
    return std::unexpected(move_error(errno));
  }
  step.shown = true;
  if (!step.replaces) return {};
  // Somebody outside this program may have changed the item since it was looked at.
  const auto old = status_in(staging_.folder(), staged, kSizeMask);
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
  const auto now = status_in(step.place.folder.get(), step.place.name.c_str(), STATX_INO);
  return now && now->stx_ino == step.writer->inode();
}

void Publication::hide_all() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!step->shown || !is_still_shown(*step)) continue;
    const unsigned flags = step->replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    const int moved = ::renameat2(step->place.folder.get(), step->place.name.c_str(),
                                  staging_.folder(), step->writer->staged_name().c_str(), flags);
    if (moved != 0) spdlog::error("a file of a failed upload could not be taken back");
  }
}

std::vector<storage::Published> Publication::keep() {
  std::vector<storage::Published> published;
  published.reserve(steps_.size());
  for (Step& step : steps_) {
    published.push_back(step.published);
    if (step.replaces) staging_.reclaim(step.writer->staged_name());
    step.writer->release();
  }
  return published;
}

std::vector<Handle> Publication::take_folders() {
  std::vector<Handle> folders;
  const Path* last = nullptr;
  for (Step& step : steps_) {
    const Path& target = step.writer->target();
    if (last != nullptr && last->parent() == target.parent()) continue;
    last = &target;
    folders.emplace_back(::fcntl(step.place.folder.get(), F_DUPFD_CLOEXEC, 0));
  }
  return folders;
}

Result<void> Publication::show(std::span<const std::unique_ptr<storage::Writer>> writers) {
  for (const auto& writer : writers) {
    if (auto done = dynamic_cast<LocalWriter&>(*writer).complete(); !done) return done;
  }
  const std::lock_guard lock(lookup_.volume().steps);
  for (const auto& writer : writers) {
    auto planned = plan(dynamic_cast<LocalWriter&>(*writer));
    if (!planned) return planned;
  }
  auto shown = show_all();
  if (!shown) hide_all();
  return shown;
}

void Publication::take_back() {
  const std::lock_guard lock(lookup_.volume().steps);
  hide_all();
}

Result<std::optional<Status>> replaceable(const Lookup& lookup, const Place& place,
                                          const Path& target, storage::IfTaken if_taken) {
  const auto status = status_in(place.folder.get(), place.name.c_str(), kSizeMask);
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
