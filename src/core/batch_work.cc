#include "core/batch_work.h"

#include <algorithm>
#include <utility>

#include "core/namespace/name_rules.h"
#include "core/placement.h"
#include "core/transfer/name_not_moved.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;
using catalog::TaskKind;

/// How often a name is looked at anew when others take it at the same moment.
constexpr int kTries = 5;

/// What no other item would fare better with.
bool ends_all(const Error& error) {
  return error.code == ErrorCode::unauthenticated || error.code == ErrorCode::over_quota ||
         error.code == ErrorCode::disk_full;
}

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

/// What an item from the bin is called: a name with backslashes, which nothing is given any more,
/// gets others in their stead.
Result<Name> name_to_restore(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '\\', '_');
  return Name::parse(text);
}

/// From the account's root.
Path place_in_bin(const catalog::BinItem& item) {
  const Path path = bin_path_of(item);
  return item.place.empty() ? path : Path::parse(item.place).value() / path;
}

Task<Result<Placement>> placement_in(Mounts& mounts, const MoveCopyRequest& plan) {
  if (plan.from.is_on_server() || plan.to.is_on_server()) {
    const bool is_same = plan.from.backend == plan.to.backend && plan.from.path == plan.to.path;
    co_return is_same ? Placement::same : Placement::apart;
  }
  co_return co_await placement_of(mounts, plan.from, plan.is_folder, plan.to);
}

}  // namespace

Task<Result<void>> BatchWork::run(RunningTask& running) {
  running_ = &running;
  co_await count();
  auto begun = co_await check_names();
  if (!begun) co_return begun;
  for (std::size_t index = 0; index < request_.sources.size(); ++index) {
    auto done = co_await do_source(index);
    if (!done) done = pass_over(request_.sources[index], done.error());
    if (!done) co_return failure_of(std::move(done));
    has_done_any_ |= *done == Outcome::done;
  }
  if (first_failure_ && !has_done_any_) co_return std::unexpected(*first_failure_);
  co_return Result<void>{};
}

Task<std::optional<Error>> BatchWork::withdrawal() {
  std::vector<MountUse> uses = uses_;
  auto stands = co_await services_.access_recheck.of(principal_, std::move(uses));
  if (stands || !is_withdrawal(stands.error())) co_return std::nullopt;
  co_return std::move(stands).error();
}

/// What there is to do, where that is cheap to find out and more than giving names.
Task<void> BatchWork::count() {
  if (request_.kind == TaskKind::remove || restores()) co_return;
  auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
  if (!ns) co_return;
  const auto folder = co_await ns->resolve(*request_.destination);
  if (!folder) co_return;
  for (const Path& source : request_.sources) {
    const auto place = co_await ns->resolve(source);
    if (!place || place->is_on_server() || running_->was_cancelled()) continue;
    if (moves() && place->backend == folder->backend) {
      running_->expect(1, 0);
      continue;
    }
    const auto size = co_await place->backend->measure(place->path);
    if (size) running_->expect(size->files + size->folders, size->bytes);
  }
}

/// Where a name that is taken is to end all, nothing is done before that is found out.
Task<Result<void>> BatchWork::check_names() {
  const bool asks = request_.kind != TaskKind::remove && request_.on_conflict == OnConflict::fail;
  if (!asks) co_return Result<void>{};
  std::set<std::string> seen;
  for (std::size_t index = 0; index < request_.sources.size(); ++index) {
    auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
    if (!ns) co_return failure_of(std::move(ns));
    auto command = command_of(index);
    if (!command) continue;
    const auto plan = co_await plan_move_copy(*std::move(ns), *std::move(command));
    if (!plan) continue;
    const auto placement = co_await placement_in(services_.mounts, *plan);
    if (moves() && placement && *placement == Placement::same) continue;
    const bool is_twice = !seen.insert(plan->to.account_path().str()).second;
    const auto taken = co_await plan->to.backend->stat(plan->to.path);
    if (taken || is_twice) {
      co_return fail(ErrorCode::exists, "The name \"" + std::string(plan->to.path.name()) +
                                            "\" is taken; nothing was done.");
    }
  }
  co_return Result<void>{};
}

MoveCopyCommand BatchWork::command_of(Path source, Path folder, std::optional<Name> name) const {
  MoveCopyCommand command{std::move(source), std::move(folder), std::move(name)};
  command.moves = moves();
  command.from_bin = restores();
  return command;
}

/// Of a source itself.
Result<MoveCopyCommand> BatchWork::command_of(std::size_t index) const {
  const Path& source = request_.sources[index];
  if (!restores()) return command_of(source, *request_.destination, std::nullopt);
  auto name = name_to_restore(source.name());
  if (!name) return failure_of(std::move(name));
  return command_of(place_in_bin(request_.bin_items[index]),
                    request_.destination.value_or(source.parent()), *std::move(name));
}

BatchWork::Step BatchWork::do_source(std::size_t index) {
  if (running_->was_cancelled()) co_return fail(ErrorCode::failed, "The task was stopped.");
  if (request_.kind == TaskKind::remove) co_return co_await remove(request_.sources[index]);
  if (restores()) co_return co_await restore(index);
  co_return co_await put(request_.sources[index], *request_.destination);
}

BatchWork::Step BatchWork::restore(std::size_t index) {
  auto leaving = co_await services_.bin.begin_restoring(principal_, request_.bin_items[index].id);
  if (!leaving) co_return failure_of(std::move(leaving));
  leaving_ = &leaving->item;
  Result<Outcome> done;
  auto command = command_of(index);
  if (!command) {
    done = failure_of(std::move(command));
  } else if (auto made = co_await make_missing(command->folder); !made) {
    done = failure_of(std::move(made));
  } else {
    done = co_await put_as(std::move(command->from), std::move(command->folder),
                           std::move(command->name));
  }
  leaving_ = nullptr;
  auto settled = co_await services_.bin.end_restoring(*std::move(leaving));
  // What a server does not show is not gone for that.
  const bool is_missed = !done && done.error().code == ErrorCode::not_found;
  if (is_missed && !settled) done = failure_of(std::move(settled));
  co_return done;
}

/// The folder where something was may be gone since, or be in the bin too.
Task<Result<void>> BatchWork::make_missing(const Path& folder) {
  if (request_.destination || folder.is_root()) co_return Result<void>{};
  auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
  if (!ns) co_return failure_of(std::move(ns));
  const auto place = co_await ns->resolve_for_writing(folder);
  if (!place) co_return failure_of(place);
  const auto there = co_await place->backend->stat(place->path);
  if (there || there.error().code != ErrorCode::not_found) co_return Result<void>{};
  const auto name = Name::parse(folder.name());
  if (!name) co_return failure_of(name);
  auto made = co_await services_.files.make_folder(principal_, folder.parent(), *name);
  if (!made && made.error().code == ErrorCode::exists) co_return Result<void>{};
  co_return made;
}

BatchWork::Step BatchWork::remove(Path source) {
  running_->begin_step();
  Result<void> removed;
  if (request_.permanent) {
    removed = co_await services_.files.remove(principal_, source);
  } else {
    removed = co_await services_.bin.take(principal_, source);
  }
  if (!removed) co_return failure_of(std::move(removed));
  running_->progress().completed_item();
  co_return Outcome::done;
}

BatchWork::Step BatchWork::put(Path source, Path folder) {
  std::optional<Name> name;
  if (restores()) {
    auto own = name_to_restore(source.name());
    if (!own) co_return failure_of(std::move(own));
    name = *std::move(own);
  }
  co_return co_await put_as(std::move(source), std::move(folder), std::move(name));
}

BatchWork::Step BatchWork::put_as(Path source, Path folder, std::optional<Name> name) {
  Result<Outcome> done;
  for (int i = 0; i < kTries; ++i) {
    auto ns = Namespace::of(principal_, services_.homes, services_.mounts);
    if (!ns) co_return failure_of(std::move(ns));
    auto plan = co_await plan_move_copy(*std::move(ns), command_of(source, folder, name));
    if (!plan) co_return failure_of(std::move(plan));
    watch(*plan);
    const auto placement = co_await placement_in(services_.mounts, *plan);
    if (!placement) co_return failure_of(placement);
    if (*placement == Placement::within) co_return into_itself();
    const bool keeps_both = request_.on_conflict == OnConflict::keep_both;
    if (*placement == Placement::same && (moves() || !keeps_both)) {
      co_return skip(source, ErrorCode::exists, "It is there already.");
    }
    const auto taken = co_await plan->to.backend->stat(plan->to.path);
    if (!taken && taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
    if (taken) {
      co_return co_await resolve_conflict(*std::move(plan), source, folder, *taken);
    }
    done = co_await perform(*std::move(plan));
    if (done || done.error().code != ErrorCode::exists) co_return done;
    if (request_.on_conflict == OnConflict::fail) co_return done;
  }
  co_return done;
}

BatchWork::Step BatchWork::perform(MoveCopyRequest plan) {
  running_->begin_step();
  const bool is_rename = moves() && plan.from.backend == plan.to.backend;
  Result<void> done;
  if (moves()) {
    done = co_await services_.move_copy.move_in(*running_, principal_, std::move(plan));
  } else {
    done = co_await services_.move_copy.copy_in(*running_, principal_, std::move(plan));
  }
  if (!done) co_return failure_of(std::move(done));
  if (is_rename) running_->progress().completed_item();
  co_return Outcome::done;
}

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

BatchWork::Outcome BatchWork::skip(const Path& source, Error why) {
  running_->skip(shown(source).str(), std::move(why));
  return Outcome::partly;
}

BatchWork::Outcome BatchWork::skip(const Path& source, ErrorCode code, std::string reason) {
  return skip(source, Error{code, std::move(reason)});
}

/// As the account sees it: what is in the bin, by where it was.
Path BatchWork::shown(const Path& source) const {
  if (principal_.scope) return *principal_.scope / source;
  if (!leaving_) return source;
  const Path top = place_in_bin(*leaving_);
  return source.is_within(top) ? origin_of(*leaving_) / source.relative_to(top) : source;
}

Result<BatchWork::Outcome> BatchWork::pass_over(const Path& source, const Error& error) {
  const bool is_taken = error.code == ErrorCode::exists && request_.on_conflict == OnConflict::fail;
  if (is_taken || ends_all(error) || running_->was_cancelled()) return std::unexpected(error);
  if (!first_failure_) first_failure_ = error;
  return skip(source, error);
}

void BatchWork::watch(const MoveCopyRequest& plan) {
  uses_ = {MountUse{plan.from.mount, moves()}, MountUse{plan.to.mount, true}};
}

}  // namespace coffer::core
