// The handling of taken names in a batch.
#include <algorithm>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/quota.h"
#include "core/batch/batch_work.h"
#include "core/files/files.h"
#include "core/files/move_copy_service.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/principal.h"
#include "core/tasks/task_runner.h"
#include "core/transfer/transfer.h"
#include "core/uploads/upload.h"
#include "storage/entry.h"
#include "storage/partial_name.h"
#include "storage/reader.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

/// True if the folder is empty, including hidden items.
Task<bool> holds_nothing(const ResolvedPath& folder) {
  const auto listing = co_await folder.backend->read_folder(folder.path);
  co_return listing && listing->entries.empty() && listing->left_out == 0;
}

/// Uses the folder's listing, since `stat` follows links.
Task<bool> is_link(const ResolvedPath& item) {
  const auto entries = co_await item.backend->list(item.path.parent());
  if (!entries) co_return false;
  const auto found = std::ranges::find(*entries, item.path.name(), &storage::Entry::name);
  co_return found != entries->end() && found->is_link;
}

constexpr std::size_t kBlockBytes = 1024 * 1024;

/// True if a rename that failed so did not happen, which a lost server or a failing disk may not
/// tell.
bool is_sure(const Error& error) {
  return !is_own_failure(error.code) && !is_passing(error);
}

ResolvedPath folder_of(const ResolvedPath& place) {
  ResolvedPath folder = place;
  folder.path = place.path.parent();
  return folder;
}

}  // namespace

/// A file that takes the place of another one, in one step, as a step of a task that was begun: the
/// other one stays until then, and after any failure. The references outlive it. Used once.
class FileReplacement {
 public:
  struct Services {
    const Quota& quota;
    FolderChanges& folder_changes;
    AccessRecheck& access_recheck;
    MoveCopyService& move_copy;
    Files& files;
  };

  FileReplacement(Services services, const Principal& principal, RunningTask& running,
                  const MoveCopyRequest& plan)
      : services_(services), principal_(principal), running_(running), plan_(plan) {}

  /// `goes` if the caller deletes the source afterwards: the right to that is checked when the
  /// target is replaced.
  enum class Source { stays, goes };

  /// The source as it was read. `conflict` where it changed meanwhile.
  Task<Result<storage::Entry>> copy(Source afterwards);
  /// The same, and the source goes. False, and nothing was done, where both are one by different
  /// paths; `conflict` where there is no other one any more.
  Task<Result<bool>> move();

 private:
  Task<Result<bool>> is_one();
  Task<Result<storage::Entry>> copy_from(const ResolvedPath& source, Source afterwards);
  Task<Result<void>> copy_unchanged(const ResolvedPath& source);
  Task<Result<void>> pump(storage::Reader& reader, Upload& upload);

  const Services services_;
  const Principal& principal_;
  RunningTask& running_;
  const MoveCopyRequest& plan_;
};

Task<Result<storage::Entry>> FileReplacement::copy(Source afterwards) {
  return copy_from(plan_.from, afterwards);
}

/// The source has a name of its own meanwhile, so that nothing that is meant for it comes between
/// its last byte and its deletion, and a place that is the same by another way is found out.
Task<Result<bool>> FileReplacement::move() {
  ResolvedPath from = plan_.from;
  CO_TRY_VOID(co_await follow_links(from));
  const Name name = name_not_moved(from.path.name());
  const ResolvedPath parked = sibling_of(from, name);
  CO_TRY(auto note,
         co_await services_.move_copy.parking().note(principal_.account->id, from, name));
  auto renamed = co_await services_.move_copy.rename(principal_, from, parked);
  if (!renamed && is_sure(renamed.error())) co_await note.end();
  CO_TRY_VOID(std::move(renamed));
  const auto other = co_await plan_.to.backend->stat(plan_.to.path);
  const bool is_other = other || other.error().code != ErrorCode::not_found;
  Result<void> done;
  if (is_other) done = co_await copy_unchanged(parked);
  if (done && is_other) done = co_await services_.files.remove(principal_, parked, &plan_.to);
  if (done && is_other) co_await note.end();
  if (done && is_other) co_return true;
  auto back = co_await services_.move_copy.rename_back(principal_, parked, from);
  if (back || is_sure(back.error())) co_await note.end();
  if (done) done = std::move(back);
  if (!done) co_return failure_of(std::move(done));
  co_return co_await is_one();
}

/// False where it is: nothing was at the target as long as the source had another name.
Task<Result<bool>> FileReplacement::is_one() {
  const auto target = co_await plan_.to.backend->stat(plan_.to.path);
  if (target) co_return false;
  if (target.error().code != ErrorCode::not_found) co_return failure_of(target);
  co_return fail(ErrorCode::conflict, "The item to replace no longer exists. Try again.");
}

Task<Result<void>> FileReplacement::copy_unchanged(const ResolvedPath& source) {
  CO_TRY(const auto read, co_await copy_from(source, Source::goes));
  const auto now = co_await source.backend->stat(source.path);
  if (now && version_of(*now) == version_of(read)) co_return Result<void>{};
  co_return fail(ErrorCode::conflict,
                 "It changed while it was moved. The source and the copy are both kept.");
}

Task<Result<storage::Entry>> FileReplacement::copy_from(const ResolvedPath& source,
                                                        Source afterwards) {
  CO_TRY(auto reader, co_await source.backend->open(source.path));
  const storage::Entry read = reader->entry();
  running_.progress().found(1, read.size_bytes);
  Upload upload(principal_, folder_of(plan_.to), services_.quota, services_.access_recheck,
                services_.folder_changes);
  upload.also_uses({source.mount, afterwards == Source::goes});
  upload.limit_to(std::string(plan_.to.path.name()));
  auto going = co_await upload.expect(read.size_bytes);
  if (!going) co_return failure_of(std::move(going));
  storage::WriteOptions options;
  options.modified_at = known(read.modified_at);
  options.may_have_holes = true;
  options.size_bytes = read.size_bytes;
  going = co_await upload.begin_file(plan_.to.path.name(), std::move(options));
  if (going) going = co_await pump(*reader, upload);
  if (!going) co_return failure_of(std::move(going));
  CO_TRY([[maybe_unused]] const auto shown, co_await upload.publish());
  co_return read;
}

Task<Result<void>> FileReplacement::pump(storage::Reader& reader, Upload& upload) {
  std::vector<std::byte> block(kBlockBytes);
  const std::uint64_t size_bytes = reader.entry().size_bytes;
  for (std::uint64_t offset = 0; offset < size_bytes;) {
    if (running_.was_cancelled()) co_return fail(ErrorCode::failed, "The task was stopped.");
    CO_TRY(const auto count, co_await reader.read(offset, block));
    if (count == 0) break;
    const std::size_t taken = std::min<std::uint64_t>(count, size_bytes - offset);
    CO_TRY_VOID(co_await upload.write(std::span(block).first(taken)));
    running_.progress().wrote(taken);
    offset += taken;
  }
  std::byte more{};
  const std::uint64_t written = running_.progress().bytes_done();
  CO_TRY(const auto rest, co_await reader.read(size_bytes, {&more, 1}));
  if (written == size_bytes && rest == 0) co_return Result<void>{};
  co_return fail(ErrorCode::conflict, "It changed while it was read. Try again.");
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
    CO_TRY(const auto name, Name::parse(plan.to.path.name()));
    Path target = folder / name;
    co_return co_await merge(std::move(plan), std::move(source), std::move(target));
  }
  if (request_.on_conflict == OnConflict::skip)
    co_return skip(source, ErrorCode::exists, "Its name is taken there.");
  if (restores()) {
    CO_TRY(const auto name, Name::parse(plan.to.path.name()));
    co_return co_await restore_over(std::move(plan), std::move(source), folder / name);
  }
  co_return co_await replace(std::move(plan), std::move(source));
}

BatchWork::Step BatchWork::keep_both(const MoveCopyRequest& plan, Path source, Path folder) {
  CO_TRY([[maybe_unused]] const auto name, co_await put_beside(plan, source, folder));
  co_return Outcome::done;
}

/// Moves or copies under a free name and returns that.
Task<Result<Name>> BatchWork::put_beside(const MoveCopyRequest& plan, const Path& source,
                                         const Path& folder) {
  auto names = taken_names_.find(folder.str());
  if (names == taken_names_.end()) {
    CO_TRY(const auto entries, co_await plan.to.backend->list(plan.to.path.parent()));
    names = taken_names_.try_emplace(folder.str()).first;
    for (const storage::Entry& entry : entries) names->second.add(entry.name);
  }
  // The name that it was to have is taken, by whatever the listing leaves out.
  const std::string wanted(plan.to.path.name());
  names->second.add(wanted);
  Result<Outcome> done;
  for (int i = 0; i < kTries; ++i) {
    CO_TRY(auto name, Name::parse(names->second.free_name_for(wanted)));
    CO_TRY(auto again,
           co_await plan_move_copy(namespace_, principal_, command_of(source, folder, name)));
    names->second.add(name.str());
    done = co_await perform(std::move(again));
    if (done) co_return std::move(name);
    if (done.error().code != ErrorCode::exists) co_return failure_of(done);
  }
  co_return failure_of(done);
}

/// Merges a folder into the one of its name, with the same conflict handling for each item.
BatchWork::Step BatchWork::merge(MoveCopyRequest plan, Path source, Path target) {
  CO_TRY(auto entries, co_await plan.from.backend->list(plan.from.path));
  std::ranges::sort(entries, {}, &storage::Entry::name);
  Outcome outcome = Outcome::done;
  for (const storage::Entry& entry : entries) {
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
    if (!done) done = skip_or_fail(item, done.error());
    if (!done) co_return done;
    if (*done == Outcome::partly) outcome = Outcome::partly;
  }
  if (outcome == Outcome::partly) co_return outcome;
  if (moves() && !co_await remove_emptied(plan.from)) {
    co_return skip(source, ErrorCode::conflict, "Not all of it could be moved.");
  }
  running_->progress().completed_item();
  co_return Outcome::done;
}

/// Renames the folder to a unique name before the check that it is empty, so that no other client
/// adds items between check and deletion.
Task<bool> BatchWork::remove_emptied(ResolvedPath folder) {
  running_->begin_step();
  if (restores()) {
    const bool is_empty = co_await holds_nothing(folder);
    co_return is_empty && (co_await services_.files.remove(principal_, folder)).has_value();
  }
  if (!co_await follow_links(folder)) co_return false;
  const Name name = name_not_moved(folder.path.name());
  const ResolvedPath parked = sibling_of(folder, name);
  auto note = co_await services_.move_copy.parking().note(principal_.account->id, folder, name);
  if (!note) co_return false;
  const auto parks = co_await services_.move_copy.rename(principal_, folder, parked);
  if (!parks && is_sure(parks.error())) co_await note->end();
  if (!parks) co_return false;
  bool is_removed = co_await holds_nothing(parked);
  if (is_removed) is_removed = (co_await services_.files.remove(principal_, parked)).has_value();
  Result<void> back;
  if (!is_removed) back = co_await services_.move_copy.rename_back(principal_, parked, folder);
  if (back || is_sure(back.error())) co_await note->end();
  co_return is_removed;
}

BatchWork::Step BatchWork::replace(MoveCopyRequest plan, Path source) {
  running_->begin_step();
  FileReplacement replacement = replacement_by(plan);
  if (moves()) {
    CO_TRY(const auto moved, co_await replacement.move());
    if (!moved) co_return skip(source, ErrorCode::exists, "It is there already.");
  } else {
    CO_TRY([[maybe_unused]] const auto read,
           co_await replacement.copy(FileReplacement::Source::stays));
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

/// Restores beside the existing item first, which leaves only once the restored one is complete.
BatchWork::Step BatchWork::restore_over(MoveCopyRequest plan, Path source, Path target) {
  if (has_bin(plan.to)) {
    const Path folder = target.parent();
    CO_TRY(const auto beside, co_await put_beside(plan, source, folder));
    auto shown = co_await services_.bin.take(principal_, target);
    if (shown || shown.error().code == ErrorCode::not_found) {
      const auto name = Name::parse(target.name());
      shown = co_await services_.files.rename(principal_, folder / beside, *name);
    }
    if (shown) co_return Outcome::done;
    co_return skip(target, shown.error().code,
                   "It is restored as \"" + beside.str() +
                       "\", because the existing item could not " +
                       "be replaced: " + shown.error().message);
  }
  running_->begin_step();
  FileReplacement replacement = replacement_by(plan);
  CO_TRY([[maybe_unused]] const auto read,
         co_await replacement.copy(FileReplacement::Source::goes));
  CO_TRY_VOID(co_await services_.files.remove(principal_, plan.from));
  running_->progress().completed_item();
  co_return Outcome::done;
}

}  // namespace coffer::core
