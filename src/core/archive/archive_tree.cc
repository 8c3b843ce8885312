#include "core/archive/archive_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "base/path.h"
#include "storage/partial_name.h"
#include "storage/remote.h"

namespace coffer::core {
namespace {

constexpr std::size_t kMostBytes = 256 * 1024;

std::string name_in(const ArchiveItem& folder, const storage::Entry& entry) {
  return folder.name.empty() ? entry.name : folder.name + '/' + entry.name;
}

bool is_one_component(const storage::Entry& entry) {
  const auto path = Path::parse(entry.name);
  return path && path->depth() == 1 && path->str() == entry.name;
}

}  // namespace

std::string ArchiveNames::take_file(std::string_view name) {
  const std::string_view extension = extension_of(name);
  return take(name.substr(0, name.size() - extension.size()), extension);
}

std::string ArchiveNames::take_folder(std::string_view name) {
  return take(name, {});
}

std::string ArchiveNames::take(std::string_view stem, std::string_view extension) {
  std::string name = fmt::format("{}{}", stem, extension);
  if (taken_.insert(name).second) return name;
  // A file and a folder of one name are numbered in different places.
  const std::string kind = fmt::format("{}/{}", stem, extension);
  int& number = next_numbers_.try_emplace(kind, 2).first->second;
  do {
    name = fmt::format("{} ({}){}", stem, number++, extension);
  } while (!taken_.insert(name).second);
  return name;
}

void ArchiveReport::add(std::string_view name, std::string_view reason) {
  if (lines_.size() > kMostBytes) {
    ++untold_;
    return;
  }
  lines_ += fmt::format("{}: {}\n", name, reason);
}

std::string ArchiveReport::text() const {
  std::string text =
      "Some of the requested items are missing or incomplete in this archive:\n\n" + lines_;
  if (untold_ > 0) text += fmt::format("\nThere are {} more such items.\n", untold_);
  return text;
}

ArchiveTree::ArchiveTree(std::vector<ArchiveItem> tops, MoreItems more, storage::ListFolder list,
                         Pool& pool, ArchiveReport& report)
    : tops_(std::make_move_iterator(tops.begin()), std::make_move_iterator(tops.end())),
      more_(std::move(more)),
      list_(std::move(list)),
      pool_(pool),
      report_(report) {}

Task<Result<std::optional<ArchiveItem>>> ArchiveTree::next() {
  while (!levels_.empty() && levels_.back().next == levels_.back().listed.entries.size()) {
    levels_.pop_back();
  }
  std::optional<ArchiveItem> item;
  if (!levels_.empty()) {
    Level& level = levels_.back();
    item = item_of(level.folder, std::move(level.listed.entries[level.next++]));
  } else if (!tops_.empty()) {
    item = std::move(tops_.front());
    tops_.pop_front();
  } else if (more_) {
    item = co_await more_(report_);
  }
  if (item && item->entry.is_directory) CO_TRY_VOID(co_await enter(*item));
  co_return item;
}

Task<Result<void>> ArchiveTree::enter(const ArchiveItem& folder) {
  if (levels_.size() >= storage::WalkLimits().depth) {
    report_.add(folder.name, "Its folders are nested too deeply.");
    co_return Result<void>{};
  }
  auto listed = co_await list_(folder.backend, folder.path, nullptr);
  if (!listed && storage::is_short_of_memory(listed.error()))
    co_return failure_of(std::move(listed));
  if (!listed) {
    report_.add(folder.name, listed.error().message);
    co_return Result<void>{};
  }
  tell_what_is_not_listed(folder, *listed);
  Level level{folder, *std::move(listed), 0};
  auto work = [&] { arrange(level); };
  co_await pool_.run(std::move(work));
  CO_TRY_VOID(level.listed.settle());
  levels_.push_back(std::move(level));
  co_return Result<void>{};
}

void ArchiveTree::tell_what_is_not_listed(const ArchiveItem& folder,
                                          const storage::FolderListing& listing) {
  if (listing.left_out == 0) return;
  report_.add(folder.name,
              "Some of its items have no name, no content that can be read, or are links that lead "
              "out of its place.");
}

void ArchiveTree::arrange(Level& level) {
  auto& entries = level.listed.entries;
  std::ranges::sort(entries, {}, &storage::Entry::name);
  const auto twice = std::ranges::unique(entries, {}, &storage::Entry::name);
  if (!twice.empty()) {
    report_.add(level.folder.name,
                "Several of its items have the same name; only one of them could be read.");
    entries.erase(twice.begin(), twice.end());
  }
  std::erase_if(entries, [&](const storage::Entry& entry) { return !takes(level.folder, entry); });
}

bool ArchiveTree::takes(const ArchiveItem& folder, const storage::Entry& entry) {
  if (storage::is_hidden_name(entry.name)) return false;
  if (!is_one_component(entry)) {
    report_.add(name_in(folder, entry), "Its name is not allowed.");
    return false;
  }
  if (entry.is_link && entry.is_directory) {
    report_.add(name_in(folder, entry), "It is a link to a folder, which is not followed.");
    return false;
  }
  return !folder.is_reserved || !folder.is_reserved(entry.name);
}

ArchiveItem ArchiveTree::item_of(const ArchiveItem& folder, storage::Entry entry) {
  ArchiveItem item;
  item.backend = folder.backend;
  item.path = folder.path / Path::parse(entry.name).value();
  item.name = name_in(folder, entry);
  item.entry = std::move(entry);
  return item;
}

}  // namespace coffer::core
