#include "core/batch/batch_work.h"

#include <algorithm>
#include <utility>

#include "core/files/listing.h"
#include "core/files/placement.h"

namespace coffer::core {
namespace {

using catalog::BinItem;
using catalog::OnConflict;
using catalog::TaskKind;

/// True for failures that every other item would meet too.
bool ends_all(const Error& error) {
  return error.code == ErrorCode::unauthenticated || error.code == ErrorCode::over_quota ||
         error.code == ErrorCode::disk_full;
}

/// The new name of an item from the bin: backslashes, which names may not have any more, are
/// replaced.
Result<Name> name_to_restore(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '\\', '_');
  return Name::parse(text);
}

/// From the account's root.
Path place_in_bin(const BinItem& item) {
  const Path path = bin_path_of(item);
  return item.place.empty() ? path : Path::parse(item.place).value() / path;
}

/// Where births are not known, a file that was written to since counts as created since. So does a
/// folder whose names have changed if it would be deleted for good; else its task has changed them.
bool was_created_since(const storage::Entry& entry, const BatchRequest& request) {
  if (entry.knows_birth) return entry.created_at > request.chosen_at;
  if (entry.is_directory && !request.permanent) return false;
  return entry.modified_at > request.chosen_at;
}

Task<Result<Placement>> placement_in(Mounts& mounts, const MoveCopyRequest& plan) {
  if (plan.from.is_on_server() || plan.to.is_on_server()) {
    const bool is_same = plan.from.shares_backend(plan.to) && plan.from.path == plan.to.path;
    co_return is_same ? Placement::same : Placement::apart;
  }
  co_return co_await placement_of(mounts, plan.from, plan.is_folder, plan.to);
}

}  // namespace

Task<Result<void>> BatchWork::run(RunningTask& running) {
  running_ = &running;
  items_.emplace(services_.catalog.selections(), principal_,
                 request_.selection.value_or(SelectionId{running.id().value}));
  CO_TRY_VOID(co_await begin_items());
  co_await count();
  CO_TRY_VOID(co_await begin_items());
  CO_TRY_VOID(co_await check_names());
  CO_TRY_VOID(co_await begin_items());
  // What is done twice would be there twice.
  const bool reports =
      request_.kind == TaskKind::copy && request_.on_conflict == OnConflict::keep_both;
  for (;;) {
    CO_TRY(const auto item, co_await items_->next());
    if (!item) break;
    CO_TRY_VOID(co_await do_item(*item));
    running_->completed_source();
    if (reports) co_await running_->report();
  }
  if (first_failure_ && !has_done_any_) co_return std::unexpected(*first_failure_);
  co_return Result<void>{};
}

/// Passes over the items that are over.
Task<Result<void>> BatchWork::begin_items() {
  items_->restart();
  for (std::uint64_t i = 0; i < request_.sources_done; ++i) {
    CO_TRY([[maybe_unused]] const auto over, co_await items_->next());
  }
  co_return Result<void>{};
}

/// Returns true if the interrupted task has moved, deleted or restored the item, which is then
/// gone. Fails if the item is not the one that was chosen, or if that cannot be told.
Task<Result<bool>> BatchWork::was_done_before(const Path& item) {
  if (!request_.restarts || request_.kind == TaskKind::copy) co_return false;
  if (restores()) {
    BinItemId id{item.str()};
    const auto found = co_await services_.bin.find(principal_, std::move(id));
    co_return !found && found.error().code == ErrorCode::not_found;
  }
  const auto place = co_await namespace_.resolve(principal_, item);
  if (!place) co_return false;
  const auto entry = co_await stat(*place);
  if (entry && was_created_since(*entry, request_)) {
    co_return fail(ErrorCode::changed,
                   "It was created or changed after the task began, and may not be what was "
                   "chosen.");
  }
  if (entry || entry.error().code != ErrorCode::not_found) co_return false;
  CO_TRY_VOID(co_await check_mounted_once(place->backend));
  co_return true;
}

/// The place may show very many items, so that it is not listed for each that is gone.
Task<Result<void>> BatchWork::check_mounted_once(const std::shared_ptr<storage::Backend>& backend) {
  if (backend == mounted_) co_return Result<void>{};
  CO_TRY_VOID(co_await check_mounted(*backend));
  mounted_ = backend;
  co_return Result<void>{};
}

/// Fails if the task ends here.
Task<Result<void>> BatchWork::do_item(const Path& item) {
  const auto was_done = co_await was_done_before(item);
  if (!was_done) {
    const auto skipped = skip_or_fail(item, was_done.error());
    co_return skipped ? Result<void>() : failure_of(skipped);
  }
  if (*was_done) {
    has_done_any_ = true;
    co_return Result<void>{};
  }
  const auto source = co_await source_of(item);
  Result<Outcome> done;
  if (source) {
    done = co_await do_source(*source);
  } else {
    done = failure_of(source);
  }
  if (!done) {
    // The right may have gone with that of this item, before anybody has looked.
    if (auto lost = co_await withdrawal()) co_return std::unexpected(*std::move(lost));
    done = skip_or_fail(source ? source->path : item, done.error());
  }
  if (!done) co_return failure_of(std::move(done));
  has_done_any_ |= *done == Outcome::done;
  co_return Result<void>{};
}

Task<Result<BatchWork::Source>> BatchWork::source_of(Path item) {
  if (!restores()) co_return Source{std::move(item)};
  BinItemId id{item.str()};
  const auto known = std::ranges::find(request_.bin_items, id, &BinItem::id);
  if (known != request_.bin_items.end()) co_return Source{origin_of(*known), *known};
  CO_TRY(auto found, co_await services_.bin.find(principal_, std::move(id)));
  co_return Source{origin_of(found), std::move(found)};
}

Task<std::optional<Error>> BatchWork::withdrawal() {
  std::vector<MountUse> uses = uses_;
  co_return withdrawal_in(co_await services_.access_recheck.of(principal_, std::move(uses)));
}

/// Announces the amount of work if it is cheap to find out and more than renames.
Task<void> BatchWork::count() {
  if (request_.kind == TaskKind::remove || restores()) co_return;
  const auto folder = co_await namespace_.resolve(principal_, *request_.destination);
  if (!folder) co_return;
  for (;;) {
    const auto source = co_await items_->next();
    if (!source || !*source) co_return;
    const auto place = co_await namespace_.resolve(principal_, **source);
    if (!place || place->is_on_server() || running_->was_cancelled()) continue;
    if (moves() && place->shares_backend(*folder)) {
      running_->expect(1, 0);
      continue;
    }
    const auto size = co_await place->backend->measure(place->path);
    if (size) running_->expect(size->files + size->folders, size->bytes);
  }
}

/// With `fail`, checks all names before any change.
Task<Result<void>> BatchWork::check_names() {
  const bool asks = request_.kind != TaskKind::remove && request_.on_conflict == OnConflict::fail;
  if (!asks) co_return Result<void>{};
  std::set<std::string> seen;
  for (;;) {
    CO_TRY(auto item, co_await items_->next());
    if (!item || running_->was_cancelled()) break;
    const auto source = co_await source_of(*std::move(item));
    auto command = source ? command_of(*source) : failure_of(source);
    if (!command) continue;
    const auto plan = co_await plan_move_copy(namespace_, principal_, *std::move(command));
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

/// The command for a source itself.
Result<MoveCopyCommand> BatchWork::command_of(const Source& source) const {
  if (!source.bin_item) return command_of(source.path, *request_.destination, std::nullopt);
  TRY(auto name, name_to_restore(source.path.name()));
  return command_of(place_in_bin(*source.bin_item),
                    request_.destination.value_or(source.path.parent()), std::move(name));
}

BatchWork::Step BatchWork::do_source(const Source& source) {
  if (running_->was_cancelled()) co_return fail(ErrorCode::failed, "The task was stopped.");
  if (request_.kind == TaskKind::remove) co_return co_await remove(source.path);
  if (source.bin_item) co_return co_await restore(source);
  co_return co_await put(source.path, *request_.destination);
}

BatchWork::Step BatchWork::restore(const Source& source) {
  CO_TRY(auto leaving, co_await services_.bin.begin_restoring(principal_, source.bin_item->id));
  leaving_ = &leaving.item;
  Result<Outcome> done;
  auto command = command_of(source);
  if (!command) {
    done = failure_of(std::move(command));
  } else if (auto made = co_await make_missing(command->folder); !made) {
    done = failure_of(std::move(made));
  } else {
    done = co_await put_as(std::move(command->from), std::move(command->folder),
                           std::move(command->name));
  }
  leaving_ = nullptr;
  auto settled = co_await services_.bin.end_restoring(std::move(leaving));
  // A server may hide an item that exists.
  const bool is_missed = !done && done.error().code == ErrorCode::not_found;
  if (is_missed && !settled) done = failure_of(std::move(settled));
  co_return done;
}

/// Creates the original folder again if it was deleted since.
Task<Result<void>> BatchWork::make_missing(const Path& folder) {
  if (request_.destination || folder.is_root()) co_return Result<void>{};
  CO_TRY(const auto place, co_await namespace_.resolve(principal_, folder, Access::add));
  const auto there = co_await place.backend->stat(place.path);
  if (there || there.error().code != ErrorCode::not_found) co_return Result<void>{};
  CO_TRY(const auto name, Name::parse(folder.name()));
  auto made = co_await services_.files.make_folder(principal_, folder.parent(), name);
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
    CO_TRY(name, name_to_restore(source.name()));
  }
  co_return co_await put_as(std::move(source), std::move(folder), std::move(name));
}

BatchWork::Step BatchWork::put_as(Path source, Path folder, std::optional<Name> name) {
  Result<Outcome> done;
  for (int i = 0; i < kTries; ++i) {
    CO_TRY(auto plan,
           co_await plan_move_copy(namespace_, principal_, command_of(source, folder, name)));
    watch(plan);
    CO_TRY(const auto placement, co_await placement_in(services_.mounts, plan));
    if (placement == Placement::within) co_return into_itself();
    const bool keeps_both = request_.on_conflict == OnConflict::keep_both;
    if (placement == Placement::same && (moves() || !keeps_both)) {
      co_return skip(source, ErrorCode::exists, "It is there already.");
    }
    const auto taken = co_await plan.to.backend->stat(plan.to.path);
    if (!taken && taken.error().code != ErrorCode::not_found) co_return failure_of(taken);
    if (taken) {
      co_return co_await resolve_conflict(std::move(plan), source, folder, *taken);
    }
    done = co_await perform(std::move(plan));
    if (done || done.error().code != ErrorCode::exists) co_return done;
    if (request_.on_conflict == OnConflict::fail) co_return done;
  }
  co_return done;
}

BatchWork::Step BatchWork::perform(MoveCopyRequest plan) {
  running_->begin_step();
  const bool is_rename = moves() && plan.from.shares_backend(plan.to);
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

BatchWork::Outcome BatchWork::skip(const Path& source, Error why) {
  running_->skip(shown(source).str(), std::move(why));
  return Outcome::partly;
}

BatchWork::Outcome BatchWork::skip(const Path& source, ErrorCode code, std::string reason) {
  return skip(source, Error{code, std::move(reason)});
}

/// The path as the account sees it; for an item in the bin its original path.
Path BatchWork::shown(const Path& source) const {
  if (principal_.scope) return *principal_.scope / source;
  if (!leaving_) return source;
  const Path top = place_in_bin(*leaving_);
  return source.is_within(top) ? origin_of(*leaving_) / source.relative_to(top) : source;
}

Result<BatchWork::Outcome> BatchWork::skip_or_fail(const Path& source, const Error& error) {
  const bool is_taken = error.code == ErrorCode::exists && request_.on_conflict == OnConflict::fail;
  if (is_taken || ends_all(error) || running_->was_cancelled()) return std::unexpected(error);
  if (!first_failure_) first_failure_ = error;
  return skip(source, error);
}

void BatchWork::watch(const MoveCopyRequest& plan) {
  uses_ = {MountUse{plan.from.mount, moves()}, MountUse{plan.to.mount, true}};
}

}  // namespace coffer::core
