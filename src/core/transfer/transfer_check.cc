#include "core/transfer/transfer_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/transfer/transfer_listing.h"

namespace coffer::core {
namespace {

bool is_expected(const storage::Entry& file) {
  return !file.name.empty();
}

/// True if the sorted listing shows the file in its full size.
bool shows(const std::vector<storage::Entry>& listing, const storage::Entry& file) {
  const auto found = std::ranges::lower_bound(listing, file.name, {}, &storage::Entry::name);
  return found != listing.end() && found->name == file.name && !found->is_directory &&
         found->size_bytes == file.size_bytes;
}

/// Of two names that are one to the server, the second file has taken the first one's place.
Result<void> count_files(const std::vector<storage::Entry>& listing, std::size_t expected) {
  const auto is_file = [](const storage::Entry& entry) { return !entry.is_directory; };
  if (std::cmp_greater_equal(std::ranges::count_if(listing, is_file), expected)) return {};
  return fail(ErrorCode::failed,
              "The destination does not hold all of the folder's files: it may take two of their "
              "names for one.");
}

}  // namespace

Task<Result<bool>> stands_whole(storage::Backend& backend, const Path& path,
                                std::uint64_t size_bytes) {
  const auto entry = co_await backend.stat(path);
  if (!entry && entry.error().code != ErrorCode::not_found) co_return failure_of(entry);
  co_return entry && !entry->is_directory && entry->size_bytes == size_bytes;
}

Task<Result<void>> check_files(storage::Backend& backend, const Path& folder,
                               std::span<const storage::Entry> files) {
  std::vector<storage::Entry> listing;
  const auto expected = static_cast<std::size_t>(std::ranges::count_if(files, is_expected));
  if (expected > 1) {
    auto listed = co_await backend.list(folder);
    if (!listed) co_return failure_of(std::move(listed));
    listing = *std::move(listed);
    auto counted = count_files(listing, expected);
    if (!counted) co_return counted;
    std::ranges::sort(listing, {}, &storage::Entry::name);
  }
  for (const storage::Entry& file : files) {
    // Some servers list a name in another form than it was given; asked for it, they find it.
    if (!is_expected(file) || shows(listing, file)) continue;
    const Path path = item_path(folder, file);
    const auto whole = co_await stands_whole(backend, path, file.size_bytes);
    if (!whole) co_return failure_of(whole);
    if (!*whole) {
      co_return fail(ErrorCode::failed, "The copy of \"" + file.name + "\" is not whole.");
    }
  }
  co_return Result<void>();
}

TreeScan::TreeScan(TransferEnd top, TransferRun& run, const TreeFingerprint::Key& key)
    : top_(std::move(top)), run_(run), fingerprint_(key), folders_{Path()} {}

std::optional<Task<void>> TreeScan::take() {
  if (run_.is_stopped() || folders_.empty()) return std::nullopt;
  Path folder = std::move(folders_.back());
  folders_.pop_back();
  return look(std::move(folder));
}

Task<void> TreeScan::look(Path folder) {
  const Path path = top_.path / folder;
  auto entries = co_await list_for_transfer(run_, top_.backend, path);
  if (!entries) {
    run_.stop(about_item(folder, std::move(entries).error()));
    co_return;
  }
  for (const storage::Entry& entry : *entries) {
    const Path item = item_path(folder, entry);
    fingerprint_.add(item, entry);
    if (entry.is_directory) folders_.push_back(item);
  }
}

}  // namespace coffer::core
