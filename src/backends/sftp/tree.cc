#include "backends/sftp/tree.h"

#include "backends/sftp/budget.h"
#include "backends/sftp/lookup.h"
#include "storage/partial_name.h"

namespace coffer::sftp {
namespace {

/// Less than 200 MiB together, with what one folder may hold.
constexpr std::size_t kMaxTreeItems = 1'000'000;
constexpr std::size_t kMaxNameBytes = 48 * 1024 * 1024;
/// No server has longer paths, and one that makes up folders without end is stopped.
constexpr std::size_t kMaxPlaceBytes = 16 * 1024;

/// A server that looks at each item by its path leaves out what it does not find: a folder that
/// got another name while it was listed looks empty.
Result<std::vector<Listed>> list_in_place(const SftpRemote& remote, const std::string& place) {
  auto listed = remote.list(place);
  if (!listed || !listed->empty()) return listed;
  if (const auto there = remote.lstat(place); !there) return failure_of(there);
  return listed;
}

}  // namespace

Result<Tree> Tree::read(const SftpRemote& remote, const std::string& top,
                        const Attributes& attributes, const storage::CopyWatch& watch) {
  Budget budget(kMaxTreeItems, kMaxNameBytes);
  Tree tree;
  tree.items_.push_back({0, top, attributes});
  for (std::size_t i = 0; i < tree.items_.size(); ++i) {
    if (!tree.items_[i].attributes.is_folder()) continue;
    if (auto on = go_on(remote.connection().deadlines()); !on) return failure_of(on);
    if (auto on = go_on(watch); !on) return failure_of(on);
    const auto place = tree.place_of(i, top);
    if (place.size() > kMaxPlaceBytes) {
      return fail(ErrorCode::refused, "The remote folder is too deep.");
    }
    auto listed = list_in_place(remote, place);
    if (!listed) return failure_of(listed);
    for (auto& [name, item] : *listed) {
      if (!budget.take(name.size())) {
        return fail(ErrorCode::refused, "The remote folder holds too many items.");
      }
      tree.items_.push_back({i, std::move(name), item});
    }
  }
  return tree;
}

std::string Tree::place_of(std::size_t index, const std::string& top) const {
  if (index == 0) return top;
  const auto& item = items_[index];
  return in_folder(place_of(item.folder, top), item.name);
}

storage::TreeSize Tree::size() const {
  storage::TreeSize total;
  for (const auto& item : items_) {
    if (&item != &items_.front() && storage::is_hidden_name(item.name)) continue;
    if (item.attributes.is_folder()) ++total.folders;
    if (!item.attributes.is_file()) continue;
    ++total.files;
    total.bytes += item.attributes.size_bytes.value_or(0);
  }
  return total;
}

}  // namespace coffer::sftp
