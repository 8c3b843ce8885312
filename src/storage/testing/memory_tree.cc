#include "storage/testing/memory_tree.h"

#include "base/error.h"

namespace coffer::storage {
namespace {

Error no_item() {
  return {ErrorCode::not_found, "There is no such file or folder."};
}
Error taken() {
  return {ErrorCode::exists, "The name is taken."};
}
Error top_folder() {
  return {ErrorCode::forbidden, "The top folder itself cannot be changed."};
}

}  // namespace

const MemoryNode* MemoryTree::find(const Path& path) const {
  static const MemoryNode root{.is_directory = true, .content = {}};
  if (path.is_root()) return &root;
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

Result<void> MemoryTree::need_folder(const Path& folder) const {
  const MemoryNode* node = find(folder);
  if (node == nullptr) return std::unexpected(no_item());
  if (!node->is_directory) return fail(ErrorCode::invalid, "This is a file, not a folder.");
  return {};
}

Result<MemoryTree::Nodes::const_iterator> MemoryTree::need_item(const Path& path) const {
  if (path.is_root()) return std::unexpected(top_folder());
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return std::unexpected(no_item());
  return found;
}

Entry MemoryTree::entry_of(const Path& path, const MemoryNode& node) const {
  Entry entry;
  entry.name = path.name();
  entry.is_directory = node.is_directory;
  entry.size_bytes = node.is_directory ? 0 : node.content->size();
  entry.created_at = node.created_at;
  entry.knows_birth = true;
  entry.modified_at = node.modified_at;
  entry.file_id = node.file_id;
  return entry;
}

TreeSize MemoryTree::size_of(const Path& top) const {
  TreeSize size;
  if (top.is_root()) size.folders = 1;
  for (const auto& [path, node] : nodes_) {
    if (!path.is_within(top)) continue;
    if (node.is_directory) {
      ++size.folders;
    } else {
      ++size.files;
      size.bytes += node.content->size();
    }
  }
  return size;
}

void MemoryTree::add_folder(const Path& folder) {
  const Timestamp time = now();
  nodes_[folder] = {.is_directory = true,
                    .content = {},
                    .created_at = time,
                    .modified_at = time,
                    .file_id = ++last_id_};
}

Result<Entry> MemoryTree::stat(const Path& path) const {
  const std::lock_guard lock(mutex_);
  const MemoryNode* node = find(path);
  if (node == nullptr) return std::unexpected(no_item());
  return entry_of(path, *node);
}

Result<std::vector<Entry>> MemoryTree::list(const Path& folder) const {
  const std::lock_guard lock(mutex_);
  if (auto there = need_folder(folder); !there) return failure_of(there);
  std::vector<Entry> entries;
  for (const auto& [path, node] : nodes_) {
    if (path.parent() == folder) entries.push_back(entry_of(path, node));
  }
  return entries;
}

Result<std::pair<Entry, Content>> MemoryTree::open(const Path& file) const {
  const std::lock_guard lock(mutex_);
  const MemoryNode* node = find(file);
  if (node == nullptr) return std::unexpected(no_item());
  if (node->is_directory) return fail(ErrorCode::invalid, "This is a folder.");
  return std::pair{entry_of(file, *node), node->content};
}

Result<void> MemoryTree::may_write(const Path& target, const WriteOptions& options) const {
  if (target.is_root()) return std::unexpected(top_folder());
  if (auto there = need_folder(target.parent()); !there) return there;
  const MemoryNode* old = find(target);
  if (old == nullptr) return check_taken(options, std::nullopt);
  if (old->is_directory) return std::unexpected(taken());
  return check_taken(options, version_of(entry_of(target, *old)));
}

Result<void> MemoryTree::check_target(const Path& target, const WriteOptions& options) const {
  const std::lock_guard lock(mutex_);
  return may_write(target, options);
}

Result<std::vector<Published>> MemoryTree::publish(const std::vector<MemoryFile>& files,
                                                   std::uint64_t growth_limit_bytes) {
  const std::lock_guard lock(mutex_);
  std::vector<Published> published;
  std::uint64_t added = 0;
  std::uint64_t freed = 0;
  for (const MemoryFile& file : files) {
    if (auto may = may_write(file.target, file.options); !may) return failure_of(may);
    const MemoryNode* old = find(file.target);
    Published one{.size_bytes = file.content->size()};
    one.replaced = old != nullptr;
    one.replaced_bytes = old != nullptr ? old->content->size() : 0;
    added += one.size_bytes;
    freed += one.replaced_bytes;
    published.push_back(one);
  }
  if (added > freed && added - freed > growth_limit_bytes) return fail_over_quota();
  for (const MemoryFile& file : files) {
    nodes_[file.target] = {.is_directory = false,
                           .content = file.content,
                           .created_at = now(),
                           .modified_at = file.modified_at,
                           .file_id = ++last_id_};
  }
  return published;
}

Result<void> MemoryTree::make_folder(const Path& folder) {
  const std::lock_guard lock(mutex_);
  if (find(folder) != nullptr) return std::unexpected(taken());
  std::vector<Path> missing;
  Path above = folder;
  for (; find(above) == nullptr; above = above.parent()) missing.push_back(above);
  if (auto there = need_folder(above); !there) return there;
  for (const Path& path : missing) add_folder(path);
  return {};
}

Result<void> MemoryTree::rename(const Path& from, const Path& to) {
  const std::lock_guard lock(mutex_);
  if (auto item = need_item(from); !item) return failure_of(item);
  if (to.is_root()) return std::unexpected(top_folder());
  if (from == to) return {};
  if (to.is_within(from)) return fail(ErrorCode::invalid, "A folder cannot go into itself.");
  if (auto there = need_folder(to.parent()); !there) return there;
  if (find(to) != nullptr) return std::unexpected(taken());
  Nodes moved;
  for (const auto& [path, node] : nodes_) {
    if (path.is_within(from)) moved.emplace(to / path.relative_to(from), node);
  }
  std::erase_if(nodes_, [&](const auto& item) { return item.first.is_within(from); });
  nodes_.merge(moved);
  return {};
}

Result<TreeSize> MemoryTree::copy(const Path& from, const Path& to, const CopyOptions& options) {
  const std::lock_guard lock(mutex_);
  if (find(from) == nullptr) return std::unexpected(no_item());
  if (to.is_within(from)) return fail(ErrorCode::invalid, "A folder cannot go into itself.");
  if (auto there = need_folder(to.parent()); !there) return failure_of(there);
  if (find(to) != nullptr) return std::unexpected(taken());
  const TreeSize size = size_of(from);
  if (size.bytes > options.limit_bytes) return fail_over_quota();
  Nodes copies;
  for (const auto& [path, node] : nodes_) {
    if (!path.is_within(from)) continue;
    if (auto on = go_on(options.watch); !on) return failure_of(on);
    MemoryNode copy = node;
    copy.created_at = now();
    copy.file_id = ++last_id_;
    if (!node.is_directory) options.watch.wrote(node.content->size());
    options.watch.completed_item();
    copies.emplace(to / path.relative_to(from), std::move(copy));
  }
  if (auto on = go_on(options.watch); !on) return failure_of(on);
  nodes_.merge(copies);
  return size;
}

Result<TreeSize> MemoryTree::remove(const Path& path) {
  const std::lock_guard lock(mutex_);
  if (auto item = need_item(path); !item) return failure_of(item);
  const TreeSize size = size_of(path);
  std::erase_if(nodes_, [&](const auto& item) { return item.first.is_within(path); });
  return size;
}

Result<TreeSize> MemoryTree::measure(const Path& path) const {
  const std::lock_guard lock(mutex_);
  if (find(path) == nullptr) return std::unexpected(no_item());
  return size_of(path);
}

}  // namespace coffer::storage
