#include "core/transfer/transfer_tree.h"

#include <utility>

#include "core/transfer/transfer_check.h"
#include "core/transfer/transfer_file.h"
#include "core/transfer/transfer_listing.h"

namespace coffer::core {
namespace {

/// Large files in line keep the listings of their folders in memory.
constexpr std::size_t kMostWaiting = 16;

}  // namespace

TreeTransfer::TreeTransfer(TransferEnd from, TransferEnd to, TransferRun& run,
                           TreeFingerprint& fingerprint)
    : from_(std::move(from)),
      to_(std::move(to)),
      run_(run),
      fingerprint_(fingerprint),
      folders_{Path()} {
  run_.progress().found(1, 0);
}

std::optional<Task<void>> TreeTransfer::take() {
  if (run_.is_stopped()) return std::nullopt;
  // Files first and the last folder found next: so little is in line at once.
  if (auto file = take_file()) return file;
  if (folders_.empty() || waiting_.size() >= kMostWaiting) return std::nullopt;
  Path folder = std::move(folders_.back());
  folders_.pop_back();
  return begin_folder(std::move(folder));
}

std::optional<Task<void>> TreeTransfer::take_file() {
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

Task<void> TreeTransfer::begin_folder(Path folder) {
  auto copied = co_await copy_folder(folder);
  if (!copied) run_.stop(about_item(folder, std::move(copied).error()));
}

Task<Result<void>> TreeTransfer::copy_folder(const Path& folder) {
  auto going_on = co_await run_.recheck();
  if (!going_on) co_return going_on;
  const Path source = from_.path / folder;
  auto entries = co_await list_for_transfer(run_, from_.backend, source);
  if (!entries && entries.error().code == ErrorCode::not_found && !folder.is_root()) {
    storage::Entry lost;
    lost.is_directory = true;
    fingerprint_.remove(folder, lost);
    run_.progress().lost(0);
    co_return Result<void>();
  }
  if (!entries) co_return failure_of(std::move(entries));
  if (run_.is_stopped()) co_return Result<void>();
  const Path target = to_.path / folder;
  auto made = co_await to_.backend.make_folder(target);
  if (!made) co_return made;
  ++size_.folders;
  run_.progress().completed_item();
  add_items(folder, *std::move(entries));
  co_return Result<void>();
}

void TreeTransfer::add_items(const Path& folder, std::vector<storage::Entry> entries) {
  std::uint64_t bytes = 0;
  for (const storage::Entry& entry : entries) {
    const Path path = item_path(folder, entry);
    fingerprint_.add(path, entry);
    bytes += entry.size_bytes;
    if (entry.is_directory) folders_.push_back(path);
  }
  run_.progress().found(entries.size(), bytes);
  std::erase_if(entries, [](const storage::Entry& entry) { return entry.is_directory; });
  if (entries.empty()) return;
  auto begun = std::make_shared<Folder>();
  begun->path = folder;
  begun->unfinished = entries.size();
  begun->files = std::move(entries);
  begun_.push_back(std::move(begun));
}

Task<void> TreeTransfer::do_file(TreeFile place) {
  Folder& folder = *place.folder;
  const Path path = item_path(folder.path, place.entry());
  // The size may be another once the file is open.
  const bool is_large = place.is_large();
  auto copied = co_await copy_file(path, place.entry());
  if (is_large) --large_at_once_;
  if (!copied) run_.stop(about_item(path, std::move(copied).error()));
  if (--folder.unfinished > 0 || run_.is_stopped()) co_return;
  const Path written = to_.path / folder.path;
  auto checked = co_await check_files(to_.backend, written, folder.files);
  if (!checked) run_.stop(about_item(folder.path, std::move(checked).error()));
}

Task<Result<void>> TreeTransfer::copy_file(const Path& path, storage::Entry& entry) {
  const TransferEnd from{from_.backend, from_.path / path};
  const TransferEnd to{to_.backend, to_.path / path};
  auto going_on = co_await run_.recheck();
  if (!going_on) co_return going_on;
  FileTransfer file(from, to, run_);
  const auto opened = co_await file.open();
  if (!opened) co_return failure_of(opened);
  if (!*opened) {
    fingerprint_.remove(path, entry);
    run_.progress().lost(entry.size_bytes);
    entry.name.clear();
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
