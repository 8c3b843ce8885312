#include "backends/objects/testing/memory_names.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "storage/partial_name.h"

namespace coffer::objects {
namespace {

using storage::Entry;
using storage::NamedFile;
using storage::NameTreeId;
using storage::NewFile;
using storage::Published;
using storage::TreeSize;

/// True if the item, or a folder between it and the top, has a hidden name.
bool is_hidden_below(const Path& path, const Path& top) {
  return std::ranges::any_of(path.relative_to(top).components(),
                             [](std::string_view name) { return storage::is_hidden_name(name); });
}

Entry root_entry() {
  Entry root;
  root.is_directory = true;
  return root;
}

}  // namespace

std::optional<MemoryNames::Node> MemoryNames::find(NameTreeId tree, const Path& path) const {
  if (path.is_root()) return Node{.entry = root_entry(), .content = {}};
  const auto found = nodes_.find({tree, path});
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

std::optional<Entry> MemoryNames::entry(NameTreeId tree, const Path& path) const {
  auto node = find(tree, path);
  if (!node) return std::nullopt;
  node->entry.name = path.name();
  return node->entry;
}

std::optional<Entry> MemoryNames::folder_of(NameTreeId tree, const Path& target) const {
  return entry(tree, target.parent());
}

TreeSize MemoryNames::size_of(NameTreeId tree, const Path& top, bool with_hidden) const {
  TreeSize size;
  if (top.is_root()) size.folders = 1;
  for (const auto& [key, node] : nodes_) {
    const auto& [its_tree, path] = key;
    if (its_tree != tree || !path.is_within(top)) continue;
    if (!with_hidden && is_hidden_below(path, top)) continue;
    ++(node.entry.is_directory ? size.folders : size.files);
    size.bytes += node.entry.size_bytes;
  }
  return size;
}

void MemoryNames::add_folder(NameTreeId tree, const Path& path) {
  Node node{.entry = root_entry(), .content = {}};
  node.entry.knows_birth = true;
  node.entry.created_at = node.entry.modified_at = now();
  node.entry.file_id = static_cast<std::uint64_t>(++last_id_);
  nodes_[{tree, path}] = std::move(node);
}

Task<Result<Entry>> MemoryNames::stat(NameTreeId tree, const Path& path) {
  const std::lock_guard lock(mutex_);
  auto found = entry(tree, path);
  if (!found) co_return storage::no_such_item();
  co_return *std::move(found);
}

Task<Result<std::vector<Entry>>> MemoryNames::list(NameTreeId tree, const Path& folder,
                                                   const storage::ListingBound& bound) {
  const std::lock_guard lock(mutex_);
  const auto top = find(tree, folder);
  if (!top) co_return storage::no_such_item();
  if (!top->entry.is_directory) co_return storage::not_a_folder();
  std::vector<Entry> entries;
  for (const auto& [key, node] : nodes_) {
    if (key.first != tree || key.second.parent() != folder) continue;
    entries.push_back(*entry(tree, key.second));
    if (bound && !bound(memory_of(entries.back()))) co_return storage::listing_too_large();
  }
  co_return entries;
}

Task<Result<NamedFile>> MemoryNames::open(NameTreeId tree, const Path& file) {
  const std::lock_guard lock(mutex_);
  const auto node = find(tree, file);
  if (!node) co_return storage::no_such_item();
  if (node->entry.is_directory) co_return fail(ErrorCode::invalid, "This is a folder.");
  co_return NamedFile{*entry(tree, file), node->content};
}

Task<Result<std::vector<NamedFile>>> MemoryNames::open_small(
    NameTreeId tree, const Path& folder, std::span<const storage::ContentId> contents) {
  const std::lock_guard lock(mutex_);
  std::vector<NamedFile> files;
  for (const auto& [key, node] : nodes_) {
    if (key.first != tree || key.second.parent() != folder || !node.content) continue;
    const bool is_wanted = std::ranges::find(contents, node.content->id) != contents.end();
    if (!is_wanted || !node.content->segments.empty()) continue;
    files.push_back({*entry(tree, key.second), node.content});
  }
  co_return files;
}

Task<Result<void>> MemoryNames::check(NameTreeId tree, const Path& target,
                                      const storage::WriteOptions& options) {
  const std::lock_guard lock(mutex_);
  co_return storage::check_target(folder_of(tree, target), entry(tree, target), options);
}

Task<Result<std::vector<Published>>> MemoryNames::publish(NameTreeId tree,
                                                          std::span<const NewFile> files,
                                                          std::uint64_t growth_limit_bytes) {
  const std::lock_guard lock(mutex_);
  const Nodes before = nodes_;
  const auto segments_before = segments_;
  const auto contents_before = contents_;
  auto published = publish_each(tree, files, growth_limit_bytes);
  if (!published) {
    nodes_ = before;
    segments_ = segments_before;
    contents_ = contents_before;
    co_return published;
  }
  for (const NewFile& file : files) {
    for (const auto& segment : file.content->segments) unshown_.erase(segment.object);
  }
  co_return published;
}

Result<std::vector<Published>> MemoryNames::publish_each(NameTreeId tree,
                                                         std::span<const NewFile> files,
                                                         std::uint64_t growth_limit_bytes) {
  std::vector<Published> published;
  storage::Growth growth;
  for (const NewFile& file : files) {
    const auto old = entry(tree, file.target);
    TRY_VOID(storage::check_target(folder_of(tree, file.target), old, file.options));
    published.push_back({.size_bytes = file.content->size_bytes,
                         .replaced_bytes = old ? old->size_bytes : 0,
                         .replaced = old.has_value()});
    growth.add(published.back());
    Entry entry;
    entry.knows_birth = true;
    entry.size_bytes = file.content->size_bytes;
    entry.created_at = file.created_at;
    entry.modified_at = file.modified_at;
    entry.file_id = static_cast<std::uint64_t>(file.content->id.value);
    storage::StoredContentPtr content = file.content;
    if (file.upload) TRY_VOID(take_segments(file, content));
    nodes_[{tree, file.target}] = {.entry = std::move(entry), .content = std::move(content)};
  }
  if (!growth.is_within(growth_limit_bytes)) return fail_over_quota();
  return published;
}

Task<Result<void>> MemoryNames::make_folder(NameTreeId tree, const Path& top, const Path& folder) {
  const std::lock_guard lock(mutex_);
  if (!find(tree, top)) co_return storage::no_such_item();
  if (find(tree, folder)) co_return storage::name_taken();
  std::vector<Path> missing;
  Path above = folder;
  for (; !find(tree, above); above = above.parent()) missing.push_back(above);
  if (!find(tree, above)->entry.is_directory) co_return storage::not_a_folder();
  for (const Path& path : missing) add_folder(tree, path);
  co_return Result<void>();
}

Task<Result<void>> MemoryNames::set_times(NameTreeId tree, const Path& folder, Timestamp created_at,
                                          Timestamp modified_at) {
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find({tree, folder});
  if (found == nodes_.end()) co_return storage::no_such_item();
  if (!found->second.entry.is_directory) co_return storage::not_a_folder();
  found->second.entry.created_at = created_at;
  found->second.entry.modified_at = modified_at;
  co_return Result<void>();
}

Task<Result<void>> MemoryNames::rename(NameTreeId tree, const Path& from, const Path& to) {
  const std::lock_guard lock(mutex_);
  if (!find(tree, from)) co_return storage::no_such_item();
  if (from == to) co_return Result<void>();
  if (to.is_within(from)) co_return storage::within_itself();
  CO_TRY_VOID(storage::check_target(folder_of(tree, to), std::nullopt, {}));
  if (find(tree, to)) co_return storage::name_taken();
  Nodes moved;
  for (const auto& [key, node] : nodes_) {
    if (key.first != tree || !key.second.is_within(from)) continue;
    moved.emplace(Key{tree, to / key.second.relative_to(from)}, node);
  }
  std::erase_if(nodes_, [&](const auto& item) {
    return item.first.first == tree && item.first.second.is_within(from);
  });
  nodes_.merge(moved);
  co_return Result<void>();
}

Task<Result<TreeSize>> MemoryNames::copy(NameTreeId tree, const Path& from, const Path& to,
                                         std::uint64_t limit_bytes,
                                         std::function<Result<void>(const TreeSize&)> may_commit) {
  const std::lock_guard lock(mutex_);
  if (!find(tree, from)) co_return storage::no_such_item();
  if (to.is_within(from)) co_return storage::within_itself();
  CO_TRY_VOID(storage::check_target(folder_of(tree, to), std::nullopt, {}));
  if (find(tree, to)) co_return storage::name_taken();
  const TreeSize size = size_of(tree, from, false);
  if (size.bytes > limit_bytes) co_return fail_over_quota();
  Nodes copies;
  for (const auto& [key, node] : nodes_) {
    if (key.first != tree || !key.second.is_within(from)) continue;
    if (is_hidden_below(key.second, from)) continue;
    Node copy = node;
    copy.entry.created_at = now();
    if (!copy.content) copy.entry.file_id = static_cast<std::uint64_t>(++last_id_);
    copies.emplace(Key{tree, to / key.second.relative_to(from)}, std::move(copy));
  }
  if (may_commit) {
    CO_TRY_VOID(may_commit(size));
  }
  nodes_.merge(copies);
  co_return size;
}

Task<Result<TreeSize>> MemoryNames::remove(NameTreeId tree, const Path& path) {
  const std::lock_guard lock(mutex_);
  if (!find(tree, path)) co_return storage::no_such_item();
  const TreeSize size = size_of(tree, path, true);
  std::erase_if(nodes_, [&](const auto& item) {
    return item.first.first == tree && item.first.second.is_within(path);
  });
  co_return size;
}

Task<Result<TreeSize>> MemoryNames::measure(NameTreeId tree, const Path& path) {
  const std::lock_guard lock(mutex_);
  if (!find(tree, path)) co_return storage::no_such_item();
  co_return size_of(tree, path, false);
}

Task<Result<storage::ContentId>> MemoryNames::draw_content() {
  const std::lock_guard lock(mutex_);
  co_return storage::ContentId{++last_id_};
}

Task<Result<std::string>> MemoryNames::draw_object() {
  const std::lock_guard lock(mutex_);
  std::string object = random_hex(16);
  objects_.insert(object);
  unshown_.insert(object);
  co_return object;
}

void MemoryNames::discard(std::vector<std::string> objects) {
  const std::lock_guard lock(mutex_);
  for (const auto& object : objects) unshown_.erase(object);
}

Task<Result<bool>> MemoryNames::take_apart_removed(std::size_t /*most*/) {
  if (fails_releases_) co_return fail(ErrorCode::failed, "The names cannot be taken apart.");
  co_return false;
}

Task<Result<bool>> MemoryNames::release_contents(std::size_t /*most*/) {
  if (fails_releases_) co_return fail(ErrorCode::failed, "The contents cannot be released.");
  co_return false;
}

bool MemoryNames::is_used(const std::string& object) const {
  if (unshown_.contains(object)) return true;
  for (const auto& [upload, segments] : segments_) {
    for (const auto& [at_byte, one] : segments) {
      if (one.segment.object == object) return true;
    }
  }
  return std::ranges::any_of(nodes_, [&](const auto& item) {
    const auto& content = item.second.content;
    return content && std::ranges::find(content->segments, object, &storage::Segment::object) !=
                          content->segments.end();
  });
}

Task<Result<std::vector<std::string>>> MemoryNames::garbage(std::chrono::seconds /*grace*/,
                                                            std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  for (const auto& object : objects_) {
    if (found.size() >= most || is_used(object) || put_back_.contains(object)) continue;
    found.push_back(object);
  }
  co_return found;
}

Task<Result<void>> MemoryNames::forget(std::span<const std::string> objects) {
  const std::lock_guard lock(mutex_);
  for (const auto& object : objects) objects_.erase(object);
  co_return Result<void>();
}

Task<Result<void>> MemoryNames::put_back(std::span<const std::string> objects,
                                         std::chrono::seconds /*grace*/) {
  const std::lock_guard lock(mutex_);
  put_back_.insert(objects.begin(), objects.end());
  co_return Result<void>();
}

Result<void> MemoryNames::take_segments(const NewFile& file, storage::StoredContentPtr& content) {
  const auto& [upload, number] = *file.upload;
  if (turns_[upload] != number) return fail(ErrorCode::conflict, "The turn is another's.");
  storage::StoredContent whole = *content;
  std::uint64_t bytes = 0;
  for (const auto& [at_byte, one] : segments_[upload]) {
    if (content->is_in_segments()) whole.segments.push_back(one.segment);
    bytes += one.segment.size_bytes;
  }
  if (bytes != content->size_bytes) return fail(ErrorCode::conflict, "Other bytes are noted.");
  segments_.erase(upload);
  contents_[upload] = content->id;
  content = std::make_shared<const storage::StoredContent>(std::move(whole));
  return {};
}

Task<Result<std::vector<storage::UploadSegment>>> MemoryNames::find(UploadId upload,
                                                                    std::uint64_t offset,
                                                                    std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<storage::UploadSegment> found;
  const Segments& all = segments_[upload];
  auto next = all.upper_bound(offset);
  if (next == all.begin()) co_return found;
  --next;
  if (next->second.end_byte() <= offset) co_return found;
  for (; next != all.end() && found.size() < most; ++next) found.push_back(next->second);
  co_return found;
}

Task<Result<void>> MemoryNames::replace(storage::UploadTurn turn,
                                        std::vector<storage::UploadSegment> segments) {
  const std::lock_guard lock(mutex_);
  if (turns_[turn.upload] != turn.number) {
    co_return fail(ErrorCode::conflict, "The turn is another's.");
  }
  const auto failing = std::exchange(failing_replace_, std::nullopt);
  if (failing.value_or(true)) replace_here(turn.upload, std::move(segments));
  if (failing) co_return fail(ErrorCode::failed, "The database is away.");
  co_return Result<void>();
}

void MemoryNames::replace_here(const UploadId& upload,
                               std::vector<storage::UploadSegment> segments) {
  Segments& all = segments_[upload];
  all.erase(all.lower_bound(segments.front().at_byte), all.end());
  for (auto& one : segments) {
    if (unshown_.erase(one.segment.object) == 0) throw std::logic_error("an object is used twice");
    all.emplace(one.at_byte, std::move(one));
  }
}

Task<Result<void>> MemoryNames::remove(UploadId upload) {
  const std::lock_guard lock(mutex_);
  segments_.erase(upload);
  co_return Result<void>();
}

Task<Result<std::vector<UploadId>>> MemoryNames::uploads() {
  const std::lock_guard lock(mutex_);
  std::vector<UploadId> found;
  for (const auto& [upload, segments] : segments_) {
    if (!segments.empty()) found.push_back(upload);
  }
  co_return found;
}

storage::UploadTurn MemoryNames::take_turn(const UploadId& upload) {
  const std::lock_guard lock(mutex_);
  return {upload, ++turns_[upload]};
}

storage::ContentId MemoryNames::content_of(const UploadId& upload) const {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.find(upload);
  return found == contents_.end() ? storage::ContentId() : found->second;
}

void MemoryNames::end_run() {
  const std::lock_guard lock(mutex_);
  unshown_.clear();
}

}  // namespace coffer::objects
