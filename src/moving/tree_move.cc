#include "moving/tree_move.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/transfer/bounded_workers.h"
#include "storage/partial_name.h"

namespace coffer::moving {
namespace {

std::unexpected<Error> about(const Path& path, Error error) {
  if (!path.is_root()) error.message = fmt::format("\"{}\": {}", path.str(), error.message);
  return std::unexpected(std::move(error));
}

bool is_left_out(const Path& folder, std::string_view name) {
  return folder.is_root() && name == storage::kStagingFolder;
}

/// Returns null if there is none. `entries` are sorted by name.
const storage::Entry* find_in(const std::vector<storage::Entry>& entries, std::string_view name) {
  const auto found = std::ranges::lower_bound(entries, name, {}, &storage::Entry::name);
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

class TreeMove::Work final : public core::WorkSource {
 public:
  explicit Work(TreeMove& move) : move_(move) {}
  std::optional<Task<void>> take() override { return move_.take(); }

 private:
  TreeMove& move_;
};

Task<Result<bool>> TreeMove::pass(Trust trust) {
  trust_ = trust;
  is_same_ = true;
  state_ = Result<void>();
  folders_.assign(1, std::make_shared<Folder>());
  filling_.clear();
  Work work(*this);
  co_await core::do_work(work, kWidth);
  if (!state_) co_return failure_of(state_);
  co_return is_same_;
}

/// Files come first, so that few folders' names are in memory.
std::optional<Task<void>> TreeMove::take() {
  if (!state_) return std::nullopt;
  if (!filling_.empty()) return work_on_file(take_file());
  if (folders_.empty()) return std::nullopt;
  FolderPtr folder = std::move(folders_.back());
  folders_.pop_back();
  return work_on_folder(std::move(folder));
}

void TreeMove::note(const Path& path, const Result<void>& done) {
  if (!done && state_) state_ = about(path, done.error());
}

void TreeMove::count(std::int64_t bytes) {
  if (trust_ == Trust::content) progress_.bytes += static_cast<std::uint64_t>(bytes);
}

Task<void> TreeMove::work_on_folder(FolderPtr folder) {
  auto done = co_await expand(folder);
  if (done && folder->files_left == 0) done = co_await end(*folder);
  note(folder->path, done);
}

Task<void> TreeMove::work_on_file(File file) {
  const auto moved = co_await move(file);
  note(file.path(), moved);
  if (--file.folder->files_left > 0 || !moved) co_return;
  const auto ended = co_await end(*file.folder);
  note(file.folder->path, ended);
}

/// A folder may have millions of items, so that each is kept once.
Task<Result<void>> TreeMove::expand(FolderPtr folder) {
  if (ends_.must_stop()) co_return move_stopped();
  const Path& top = folder->path;
  CO_TRY(auto listing, co_await ends_.source.read_folder(top));
  if (!listing.is_whole()) {
    co_return fail(ErrorCode::invalid, "The folder has items that cannot be moved.");
  }
  auto& sources = listing.entries;
  std::erase_if(sources, [&top](const auto& entry) { return is_left_out(top, entry.name); });
  std::ranges::sort(sources, {}, &storage::Entry::name);
  CO_TRY(folder->targets, co_await ends_.target.list(top));
  std::ranges::sort(folder->targets, {}, &storage::Entry::name);
  CO_TRY_VOID(co_await remove_others(*folder, sources));
  for (const auto& entry : sources) {
    if (!entry.is_directory) continue;
    const auto* const found = find_in(folder->targets, entry.name);
    auto before = found == nullptr ? std::nullopt : std::optional(*found);
    const Path path = top / Path::parse(entry.name).value();
    if (!before || !before->is_directory) {
      note_change(*folder);
      CO_TRY_VOID(co_await make_folder(path, before));
    }
    folders_.push_back(std::make_shared<Folder>(path, entry, std::move(before)));
  }
  std::erase_if(sources, [](const auto& entry) { return entry.is_directory; });
  // From now on other workers may take them, and the last one ends the folder.
  folder->files_left = sources.size();
  folder->files = std::move(sources);
  if (folder->files_left > 0) filling_.push_back(std::move(folder));
  co_return Result<void>();
}

TreeMove::File TreeMove::take_file() {
  const FolderPtr folder = filling_.back();
  File file{folder, std::move(folder->files[folder->next_file++]), std::nullopt};
  const auto* const before = find_in(folder->targets, file.entry.name);
  if (before != nullptr) file.old = *before;
  if (folder->next_file < folder->files.size()) return file;
  filling_.pop_back();
  folder->files = {};
  folder->targets = {};
  return file;
}

Task<Result<void>> TreeMove::make_folder(const Path& path,
                                         const std::optional<storage::Entry>& old) {
  if (old) {
    CO_TRY([[maybe_unused]] const auto removed, co_await ends_.target.remove(path));
  }
  co_return co_await ends_.target.make_folder(path);
}

/// What is in the target alone.
Task<Result<void>> TreeMove::remove_others(Folder& folder,
                                           const std::vector<storage::Entry>& sources) {
  for (const auto& entry : folder.targets) {
    if (find_in(sources, entry.name) != nullptr || is_left_out(folder.path, entry.name)) continue;
    note_change(folder);
    const Path path = folder.path / Path::parse(entry.name).value();
    CO_TRY([[maybe_unused]] const auto removed, co_await ends_.target.remove(path));
  }
  co_return Result<void>();
}

void TreeMove::note_change(Folder& folder) {
  folder.has_changed = true;
  is_same_ = false;
}

/// The folder's own items are as they will be.
Task<Result<void>> TreeMove::end(const Folder& folder) {
  const bool has_time = !folder.has_changed && folder.old && folder.old->is_directory &&
                        folder.old->modified_at == folder.entry.modified_at;
  if (folder.path.is_root() || has_time) co_return Result<void>();
  co_return co_await ends_.target.set_times(folder.path, folder.entry.created_at,
                                            folder.entry.modified_at);
}

Task<Result<void>> TreeMove::move(const File& file) {
  const Path path = file.path();
  CO_TRY(const bool is_moved, co_await is_there(file, path));
  if (is_moved) {
    count(static_cast<std::int64_t>(file.entry.size_bytes));
  } else {
    note_change(*file.folder);
    const auto moved = co_await move_anew(file, path);
    if (!moved && co_await has_gone(path)) co_return Result<void>();
    CO_TRY_VOID(moved);
  }
  if (trust_ == Trust::content) ++progress_.files;
  co_return Result<void>();
}

/// What has gone from the source since its folder was read goes from the target in the next pass.
Task<bool> TreeMove::has_gone(const Path& path) {
  const auto found = co_await ends_.source.stat(path);
  co_return !found && found.error().code == ErrorCode::not_found;
}

Task<Result<void>> TreeMove::move_anew(const File& file, const Path& path) {
  const Path partial = file.folder->path / Path::parse(storage::partial_name()).value();
  std::int64_t sum = 0;
  const std::function<void(std::int64_t)> counted = [this, &sum](std::int64_t bytes) {
    sum += bytes;
    count(bytes);
  };
  const auto copied = co_await copy_checked(ends_, path, partial, counted);
  if (!copied) {
    count(-sum);
    co_return failure_of(copied);
  }
  const InexactTime time{copied->source.modified_at, copied->copy.modified_at};
  if (time.of_source != time.of_copy) inexact_[path.str()] = time;
  if (file.old) {
    CO_TRY([[maybe_unused]] const auto removed, co_await ends_.target.remove(path));
  }
  co_return co_await ends_.target.rename(partial, path);
}

Task<Result<bool>> TreeMove::is_there(const File& file, const Path& path) {
  const auto& old = file.old;
  if (!old || old->is_directory || old->size_bytes != file.entry.size_bytes) co_return false;
  Timestamp time = file.entry.modified_at;
  const auto inexact = inexact_.find(path.str());
  if (inexact != inexact_.end() && inexact->second.of_source == time) {
    time = inexact->second.of_copy;
  }
  if (old->modified_at != time) co_return false;
  if (trust_ == Trust::time) co_return true;
  co_return co_await has_same_content_(path);
}

}  // namespace coffer::moving
