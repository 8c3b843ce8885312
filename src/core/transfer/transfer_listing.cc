#include "core/transfer/transfer_listing.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::core {
namespace {

bool is_left_out(const storage::Entry& entry) {
  return entry.is_link || storage::is_hidden_name(entry.name);
}

bool is_one_component(const storage::Entry& entry) {
  const auto path = Path::parse(entry.name);
  return path && !path->is_root() && path->str() == entry.name && path->depth() == 1;
}

/// Some drives keep several items of one name in a folder.
bool has_name_twice(const std::vector<storage::Entry>& entries) {
  std::unordered_set<std::string_view> names;
  return !std::ranges::all_of(
      entries, [&names](const storage::Entry& entry) { return names.insert(entry.name).second; });
}

/// Of a place that lies in the folder: what was deleted there could not be taken along.
Task<Result<void>> check_no_bin(storage::Backend& backend, const Path& folder,
                                const std::vector<storage::Entry>& entries) {
  const auto bin = std::ranges::find(entries, storage::kBinFolder, &storage::Entry::name);
  if (bin == entries.end() || !bin->is_directory || bin->is_link) co_return Result<void>{};
  const Path path = item_path(folder, *bin);
  const auto items = co_await backend.list(path);
  if (!items) co_return failure_of(items);
  if (items->empty()) co_return Result<void>{};
  co_return fail(ErrorCode::invalid,
                 "The folder holds one that is shared by itself, with items in its bin, which "
                 "would be lost. Copy it instead, or empty that bin first.");
}

}  // namespace

Task<Result<std::vector<storage::Entry>>> list_for_transfer(const TransferRun& run,
                                                            storage::Backend& backend,
                                                            const Path& folder) {
  auto entries = co_await backend.list(folder);
  if (!entries) co_return entries;
  // Two mounts may lead to one disk, so paths alone do not tell.
  const auto staging = std::ranges::find(*entries, run.staging_name(), &storage::Entry::name);
  if (staging != entries->end()) {
    co_return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
  }
  if (run.moves()) {
    const auto whole = co_await backend.lists_all(folder);
    if (!whole) co_return failure_of(whole);
    if (!*whole) {
      co_return fail(ErrorCode::invalid,
                     "The folder holds links or other items that cannot be taken along and would "
                     "be lost. Copy it instead, or delete them first.");
    }
    auto has_none = co_await check_no_bin(backend, folder, *entries);
    if (!has_none) co_return failure_of(std::move(has_none));
  }
  std::erase_if(*entries, is_left_out);
  for (const storage::Entry& entry : *entries) {
    if (is_one_component(entry)) continue;
    co_return fail(ErrorCode::invalid, "The folder holds an item with a name that is not allowed.");
  }
  if (has_name_twice(*entries)) {
    co_return fail(ErrorCode::invalid, "The folder holds two items of one name.");
  }
  co_return entries;
}

Path item_path(const Path& folder, const storage::Entry& entry) {
  return folder / Path::parse(entry.name).value();
}

}  // namespace coffer::core
