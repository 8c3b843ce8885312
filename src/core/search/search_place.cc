#include "core/search/search_place.h"

#include <utility>

namespace coffer::core {
namespace {

/// Folders looked into at once.
constexpr std::size_t kLocalWidth = 4;
constexpr std::size_t kRemoteWidth = 2;
/// Disks of this machine have an end, and may hold more than a server is trusted with.
constexpr storage::WalkLimits kLocalLimits{5'000'000, 100'000'000, std::size_t{16} << 30, 1'000};

storage::WalkLimits limits_of(const SearchTop& top) {
  return top.is_remote ? storage::WalkLimits() : kLocalLimits;
}

}  // namespace

bool SearchTerms::match(const storage::Entry& entry) const {
  if (is_directory && entry.is_directory != *is_directory) return false;
  if (modified_after && entry.modified_at < *modified_after) return false;
  if (modified_before && entry.modified_at >= *modified_before) return false;
  const std::uint64_t bytes = entry.is_directory ? 0 : entry.size_bytes;
  return bytes >= min_bytes && bytes <= max_bytes && name.matches(entry.name);
}

SearchPlace::SearchPlace(SearchTop top) : top_(std::move(top)), budget_(limits_of(top_)) {
  waiting_.push_back({Path()});
}

std::optional<SearchPlace::Folder> SearchPlace::take() {
  const std::size_t width = top_.is_remote ? kRemoteWidth : kLocalWidth;
  if (waiting_.empty() || running_ >= width) return std::nullopt;
  Folder folder = std::move(waiting_.back());
  waiting_.pop_back();
  ++running_;
  return folder;
}

bool SearchPlace::took(std::size_t items, std::size_t name_bytes, std::vector<Folder> folders) {
  const std::size_t depth = folders.empty() ? 0 : folders.front().below.depth();
  if (!budget_.spend(items, name_bytes) || !budget_.enter(depth)) {
    give_up();
    return false;
  }
  for (Folder& folder : folders) waiting_.push_back(std::move(folder));
  return true;
}

}  // namespace coffer::core
