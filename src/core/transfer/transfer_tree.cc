#include "core/transfer/transfer_tree.h"

#include <algorithm>
#include <utility>

#include "core/transfer/transfer_check.h"
#include "core/transfer/transfer_file.h"

namespace coffer::core {
namespace {

/// Large files in line keep the listings of their folders in memory.
constexpr std::size_t kMostWaiting = 16;

/// The most bytes of files that are opened together, whose content may be in memory.
constexpr std::uint64_t kTogetherFileBytes = std::uint64_t{128} * 1024;
constexpr std::uint64_t kBatchBytes = std::uint64_t{2} * 1024 * 1024;
constexpr std::uint64_t kTogetherBytes = 2 * kBatchBytes;
constexpr std::size_t kBatchFiles = 512;
constexpr int kBatchesAtOnce = 2;
constexpr std::size_t kMostBatches = 16;

/// What is empty is open once it was looked at.
bool is_for_batch(const storage::Entry& entry) {
  return entry.size_bytes > 0 && entry.size_bytes <= kTogetherFileBytes;
}

/// What a folder that was taken away, and maybe made again for what came later, ends in.
bool may_come_of_loss(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::failed;
}

}  // namespace

TreeTransfer::TreeTransfer(TransferEnd from, const storage::Entry& top, TransferEnd to,
                           TransferRun& run, TreeFingerprint& fingerprint)
    : from_(std::move(from)),
      to_(std::move(to)),
      run_(run),
      fingerprint_(fingerprint),
      top_identity_(top.identity()),
      folders_{{Path(), top_identity_}} {
  run_.progress().found(1, 0);
}

std::optional<Task<void>> TreeTransfer::take() {
  if (run_.is_stopped()) return std::nullopt;
  if (auto batch = take_batch()) return batch;
  // Files first and the last folder found next: so little is in line at once.
  if (auto file = take_file()) return file;
  if (folders_.empty() || waiting_.size() >= kMostWaiting || batches_.size() >= kMostBatches) {
    return std::nullopt;
  }
  FolderId folder = std::move(folders_.back());
  folders_.pop_back();
  return begin_folder(std::move(folder));
}

std::optional<Task<void>> TreeTransfer::take_batch() {
  if (batches_.empty() || batches_at_once_ >= kBatchesAtOnce) return std::nullopt;
  if (together_bytes_ + batches_.front().bytes > kTogetherBytes) return std::nullopt;
  Batch batch = std::move(batches_.front());
  batches_.pop_front();
  ++batches_at_once_;
  together_bytes_ += batch.bytes;
  return open_batch(std::move(batch));
}

Task<void> TreeTransfer::open_batch(Batch batch) {
  auto going_on = co_await run_.recheck();
  if (!going_on) {
    run_.stop(about_item(batch.folder->id.path, std::move(going_on).error()));
    co_return;
  }
  const Path folder = from_.path / batch.folder->id.path;
  const auto files = std::span(batch.folder->files).subspan(batch.first, batch.count);
  auto readers = co_await from_.backend.open_together(folder, files, run_.progress());
  readers.resize(batch.count);
  for (std::size_t i = 0; i < batch.count; ++i) {
    opened_.push_back({batch.folder, batch.first + i, std::move(readers[i]), files[i].size_bytes});
  }
  --batches_at_once_;
}

std::optional<Task<void>> TreeTransfer::take_file() {
  if (!opened_.empty()) {
    TreeFile place = std::move(opened_.front());
    opened_.pop_front();
    return do_file(std::move(place));
  }
  if (!waiting_.empty() && large_at_once_ < kLargeFilesAtOnce) {
    TreeFile place = std::move(waiting_.front());
    waiting_.pop_front();
    ++large_at_once_;
    return do_file(std::move(place));
  }
  while (!begun_.empty() && waiting_.size() < kMostWaiting) {
    TreeFile place = next_file();
    if (!place.is_large()) return do_file(std::move(place));
    if (large_at_once_ < kLargeFilesAtOnce) {
      ++large_at_once_;
      return do_file(std::move(place));
    }
    waiting_.push_back(std::move(place));
  }
  return std::nullopt;
}

TreeTransfer::TreeFile TreeTransfer::next_file() {
  TreeFile place{begun_.back(), begun_.back()->next++};
  if (place.folder->next == place.folder->files.size()) begun_.pop_back();
  return place;
}

Task<void> TreeTransfer::begin_folder(FolderId folder) {
  auto copied = co_await copy_folder(folder);
  if (!copied) run_.stop(about_item(folder.path, std::move(copied).error()));
}

Task<Result<void>> TreeTransfer::copy_folder(const FolderId& folder) {
  CO_TRY_VOID(co_await run_.recheck());
  const bool is_top = folder.path.is_root();
  Result<void> made;
  // Before the source is listed, where it shows if the one lies in the other.
  if (is_top) made = co_await make_folder(folder.path);
  if (!made) co_return made;
  const Path source = from_.path / folder.path;
  auto entries = co_await list_for_transfer(run_, from_.backend, source);
  if (!entries && entries.error().code == ErrorCode::not_found && !is_top) {
    co_return leave_out(folder.path);
  }
  if (!entries) co_return failure_of(std::move(entries));
  if (run_.is_stopped()) co_return Result<void>();
  if (!is_top) made = co_await make_folder(folder.path);
  if (!made) co_return made;
  // One that got another name while it was listed can look empty.
  const bool is_empty = entries->empty();
  const bool has_files = add_items(folder, *std::move(entries));
  if (has_files || (!folder.identity.is_known() && !is_empty)) co_return Result<void>();
  co_return co_await check_in_place(folder);
}

Task<Result<void>> TreeTransfer::make_folder(const Path& folder) {
  const Path target = to_.path / folder;
  CO_TRY_VOID(co_await to_.backend.make_folder(target));
  if (folder.is_root()) {
    if (const auto top = to_.backend.stat_now(target)) target_identity_ = top->identity();
  }
  ++size_.folders;
  run_.progress().completed_item();
  co_return Result<void>{};
}

Task<Result<void>> TreeTransfer::check_target(Result<void> outcome) {
  // Servers that tell no ids are not asked while all goes well.
  const bool may_be_lost =
      outcome ? target_identity_.is_known() : may_come_of_loss(outcome.error());
  if (size_.folders == 0 || !may_be_lost) co_return outcome;
  const auto top = co_await to_.backend.stat(to_.path);
  const bool is_gone = !top && top.error().code == ErrorCode::not_found;
  const bool is_another = top && target_identity_.is_known() && top->identity() != target_identity_;
  if (!is_gone && !is_another) co_return outcome;
  co_return fail(ErrorCode::conflict, "The destination was deleted or moved meanwhile.");
}

Result<void> TreeTransfer::leave_out(const Path& folder) {
  if (!run_.moves()) return std::unexpected(source_changed(run_));
  storage::Entry lost;
  lost.is_directory = true;
  fingerprint_.remove(folder, lost);
  run_.progress().lost(0);
  return {};
}

bool TreeTransfer::add_items(const FolderId& folder, std::vector<storage::Entry> entries) {
  std::uint64_t bytes = 0;
  for (const storage::Entry& entry : entries) {
    const Path path = item_path(folder.path, entry);
    fingerprint_.add(path, entry);
    bytes += entry.size_bytes;
    if (entry.is_directory) folders_.push_back({path, entry.identity()});
  }
  run_.progress().found(entries.size(), bytes);
  std::erase_if(entries, [](const storage::Entry& entry) { return entry.is_directory; });
  if (entries.empty()) return false;
  auto begun = std::make_shared<Folder>();
  begun->id = folder;
  begun->unfinished = entries.size();
  begun->files = std::move(entries);
  if (from_.backend.opens_together()) add_batches(begun);
  if (begun->next < begun->files.size()) begun_.push_back(std::move(begun));
  return true;
}

/// The files of batches come first.
void TreeTransfer::add_batches(const std::shared_ptr<Folder>& folder) {
  auto& files = folder->files;
  const auto others = std::ranges::partition(files, is_for_batch);
  const std::size_t count = files.size() - others.size();
  while (folder->next + 1 < count) {
    Batch batch{folder, folder->next};
    while (folder->next < count && batch.count < kBatchFiles &&
           batch.bytes + files[folder->next].size_bytes <= kBatchBytes) {
      batch.bytes += files[folder->next++].size_bytes;
      ++batch.count;
    }
    batches_.push_back(std::move(batch));
  }
}

Task<void> TreeTransfer::do_file(TreeFile place) {
  Folder& folder = *place.folder;
  const Path path = item_path(folder.id.path, place.entry());
  // The size may be another once the file is open.
  const bool is_large = place.is_large();
  auto copied = co_await copy_file(path, place);
  if (is_large) --large_at_once_;
  together_bytes_ -= place.held_bytes;
  if (!copied) run_.stop(about_item(path, std::move(copied).error()));
  if (--folder.unfinished > 0 || run_.is_stopped()) co_return;
  auto ended = co_await end_folder(folder);
  if (!ended) run_.stop(about_item(folder.id.path, std::move(ended).error()));
}

Task<Result<void>> TreeTransfer::end_folder(const Folder& folder) {
  CO_TRY_VOID(co_await check_files(to_.backend, to_.path / folder.id.path, folder.files));
  // Without an id, a folder in its place would tell nothing but that there is one.
  if (!folder.id.identity.is_known() && !folder.has_lost) co_return Result<void>();
  co_return co_await check_in_place(folder.id);
}

Task<Result<void>> TreeTransfer::check_in_place(FolderId folder) {
  const Path path = from_.path / folder.path;
  const auto now = co_await from_.backend.stat(path);
  if (!now && now.error().code != ErrorCode::not_found) co_return failure_of(now);
  const bool is_same = now && now->is_directory && now->identity() == folder.identity;
  if (!is_same) co_return std::unexpected(source_changed(run_));
  co_return Result<void>();
}

Task<Result<void>> TreeTransfer::copy_file(const Path& path, TreeFile& place) {
  const TransferEnd from{from_.backend, from_.path / path};
  const TransferEnd to{to_.backend, to_.path / path};
  CO_TRY_VOID(co_await run_.recheck());
  FileTransfer file(from, to, run_);
  CO_TRY(const auto opened, co_await file.open(std::move(place.reader)));
  storage::Entry& entry = place.entry();
  if (!opened) {
    fingerprint_.remove(path, entry);
    run_.progress().lost(entry.size_bytes);
    entry.name.clear();
    place.folder->has_lost = true;
    co_return Result<void>();
  }
  run_.progress().resized(entry.size_bytes, file.entry().size_bytes);
  entry.size_bytes = file.entry().size_bytes;
  auto copied = co_await file.copy();
  if (copied) copied = co_await file.publish();
  if (!copied) {
    co_await file.abandon();
    co_return copied;
  }
  ++size_.files;
  size_.bytes += entry.size_bytes;
  run_.progress().completed_item();
  co_return Result<void>();
}

}  // namespace coffer::core
