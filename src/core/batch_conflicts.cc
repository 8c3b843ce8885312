// What a batch does where a name is taken.
#include <algorithm>
#include <utility>

#include "core/batch_work.h"
#include "core/transfer/name_not_moved.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

/// Not even what listings leave out.
Task<bool> holds_nothing(const ResolvedPath& folder) {
  const auto entries = co_await folder.backend->list(folder.path);
  const auto lists_all = co_await folder.backend->lists_all(folder.path);
  co_return entries && entries->empty() && lists_all && *lists_all;
}

/// Looking at an item follows links; the listing of its folder tells.
Task<bool> is_link(const ResolvedPath& item) {
  const auto entries = co_await item.backend->list(item.path.parent());
  if (!entries) co_return false;
  const auto found = std::ranges::find(*entries, item.path.name(), &storage::Entry::name);
  co_return found != entries->end() && found->is_link;
}

}  // namespace

BatchWork::Step BatchWork::resolve_conflict(MoveCopyRequest plan, Path source, Path folder,
                                            const storage::Entry& taken) {
  if (request_.on_conflict == OnConflict::fail) {
    co_return fail(ErrorCode::exists,
                   "The name \"" + std::string(plan.to.path.name()) + "\" is taken.");
  }
  if (request_.on_conflict == OnConflict::keep_both) {
    co_return co_await keep_both(plan, std::move(source), std::move(folder));
  }
  if (plan.is_folder != taken.is_directory) {
    co_return skip(
        source, ErrorCode::exists,
        taken.is_directory ? "A folder has its name there." : "A file has its name there.");
  }
  if (plan.is_folder && co_await is_link(plan.from)) {
    co_return skip(source, ErrorCode::exists, "It is a link, and a folder has its name there.");
  }
  if (plan.is_folder) {
    const auto name = Name::parse(plan.to.path.name());
    if (!name) co_return failure_of(name);
    Path target = folder / *name;
    co_return co_await merge(std::move(plan), std::move(source), std::move(target));
  }
  if (request_.on_conflict == OnConflict::skip)
    co_return skip(source, ErrorCode::exists, "Its name is taken there.");
  if (restores()) {
    const auto name = Name::parse(plan.to.path.name());
    if (!name) co_return failure_of(name);
    co_return co_await restore_over(std::move(plan), std::move(source), folder / *name);
  }
  co_return co_await replace(std::move(plan), std::move(source));
}

BatchWork::Step BatchWork::keep_both(const MoveCopyRequest& plan, Path source, Path folder) {
  const auto name = co_await put_beside(plan, source, folder);
  if (!name) co_return failure_of(name);
  co_return Outcome::done;
}

/// Puts it there under a name that is free, which is the answer.
Task<Result<Name>> BatchWork::put_beside(const MoveCopyRequest& plan, const Path& source,
                                         const Path& folder) {
  auto names = taken_names_.find(folder.str());
  if (names == taken_names_.end()) {
    const auto entries = co_await plan.to.backend->list(plan.to.path.parent());
    if (!entries) co_return failure_of(entries);
    names = taken_names_.try_emplace(folder.str()).first;
    for (const storage::Entry& entry : *entries) names->second.add(entry.name);
  }
  // The name that it was to have is taken, by whatever the listing leaves out.
  const std::string wanted(plan.to.path.name());
  names->second.add(wanted);
  Result<Outcome> done;
  for (int i = 0; i < kTries; ++i) {
    auto name = Name::parse(names->second.free_name_for(wanted));
    if (!name) co_return failure_of(std::move(name));
    auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
    if (!ns) co_return failure_of(std::move(ns));
    auto again = co_await plan_move_copy(*std::move(ns), command_of(source, folder, *name));
    if (!again) co_return failure_of(std::move(again));
    names->second.add(name->str());
    done = co_await perform(*std::move(again));
    if (done) co_return *std::move(name);
    if (done.error().code != ErrorCode::exists) co_return failure_of(done);
  }
  co_return failure_of(done);
}

/// What the folder holds goes into the one of its name, each item by the same choice.
BatchWork::Step BatchWork::merge(MoveCopyRequest plan, Path source, Path target) {
  auto entries = co_await plan.from.backend->list(plan.from.path);
  if (!entries) co_return failure_of(std::move(entries));
  std::ranges::sort(*entries, {}, &storage::Entry::name);
  Outcome outcome = Outcome::done;
  for (const storage::Entry& entry : *entries) {
    if (running_->was_cancelled()) co_return fail(ErrorCode::failed, "The task was stopped.");
    const auto name = Path::parse(entry.name);
    if (!name || name->depth() != 1 || storage::is_hidden_name(entry.name)) continue;
    const Path item = source / *name;
    Result<Outcome> done;
    if (entry.is_link) {
      done = skip(item, ErrorCode::invalid, "It is a link.");
    } else {
      done = co_await put(item, target);
    }
    if (!done) done = pass_over(item, done.error());
    if (!done) co_return done;
    if (*done == Outcome::partly) outcome = Outcome::partly;
  }
  if (outcome == Outcome::partly) co_return outcome;
  if (moves() && !co_await remove_emptied(plan.from, source)) {
    co_return skip(source, ErrorCode::conflict, "Not all of it could be moved.");
  }
  running_->progress().completed_item();
  co_return Outcome::done;
}

/// Something may have come to it since it was listed, so it gets a name that nothing comes to.
Task<bool> BatchWork::remove_emptied(const ResolvedPath& folder, const Path& source) {
  running_->begin_step();
  if (restores()) {
    const bool is_empty = co_await holds_nothing(folder);
    co_return is_empty && (co_await services_.files.remove(principal_, folder)).has_value();
  }
  const Name parked_name = name_not_moved(source.name());
  const ResolvedPath parked = sibling_of(folder, parked_name);
  const auto parks = co_await services_.move_copy.rename(principal_, folder, parked);
  if (!parks) co_return false;
  bool is_removed = co_await holds_nothing(parked);
  if (is_removed) {
    const Path path = source.parent() / parked_name;
    is_removed = (co_await services_.files.remove(principal_, path)).has_value();
  }
  if (!is_removed) (void)co_await services_.move_copy.rename_back(principal_, parked, folder);
  co_return is_removed;
}

BatchWork::Step BatchWork::replace(MoveCopyRequest plan, Path source) {
  running_->begin_step();
  FileReplacement replacement = replacement_by(plan);
  if (moves()) {
    const auto moved = co_await replacement.move(source);
    if (!moved) co_return failure_of(moved);
    if (!*moved) co_return skip(source, ErrorCode::exists, "It is there already.");
  } else {
    const auto read = co_await replacement.copy(FileReplacement::Source::stays);
    if (!read) co_return failure_of(read);
  }
  running_->progress().completed_item();
  co_return Outcome::done;
}

FileReplacement BatchWork::replacement_by(const MoveCopyRequest& plan) {
  return {{services_.quota, services_.folder_changes, services_.access_recheck, services_.move_copy,
           services_.files},
          principal_,
          *running_,
          plan};
}

/// What was there leaves only once what takes its place is there whole, under another name.
BatchWork::Step BatchWork::restore_over(MoveCopyRequest plan, Path source, Path target) {
  if (has_bin(plan.to)) {
    const Path folder = target.parent();
    const auto beside = co_await put_beside(plan, source, folder);
    if (!beside) co_return failure_of(beside);
    auto shown = co_await services_.bin.take(principal_, target);
    if (shown || shown.error().code == ErrorCode::not_found) {
      const auto name = Name::parse(target.name());
      shown = co_await services_.files.rename(principal_, folder / *beside, *name);
    }
    if (shown) co_return Outcome::done;
    co_return skip(target, shown.error().code,
                   "It is restored as \"" + beside->str() + "\", since its place could not " +
                       "be taken: " + shown.error().message);
  }
  running_->begin_step();
  FileReplacement replacement = replacement_by(plan);
  const auto read = co_await replacement.copy(FileReplacement::Source::goes);
  if (!read) co_return failure_of(read);
  auto removed = co_await services_.files.remove(principal_, plan.from);
  if (!removed) co_return failure_of(std::move(removed));
  running_->progress().completed_item();
  co_return Outcome::done;
}

}  // namespace coffer::core
