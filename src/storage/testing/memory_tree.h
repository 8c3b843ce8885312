#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "storage/backend.h"

namespace coffer::storage {

using Content = std::shared_ptr<const std::vector<std::byte>>;

struct MemoryNode {
  bool is_directory = false;
  Content content;  ///< Of a file.
  Timestamp created_at{};
  Timestamp modified_at{};
  std::uint64_t file_id = 0;
};

/// A file that a writer collected, to be published.
struct MemoryFile {
  Path target;
  WriteOptions options = {};
  Content content;
  Timestamp modified_at{};
};

/// The items of a MemoryBackend and its views, by their full paths. Safe from any thread.
class MemoryTree {
 public:
  Result<Entry> stat(const Path& path) const;
  Result<std::vector<Entry>> list(const Path& folder) const;
  Result<std::pair<Entry, Content>> open(const Path& file) const;
  Result<void> check_target(const Path& target, const WriteOptions& options) const;
  Result<std::vector<Published>> publish(const std::vector<MemoryFile>& files,
                                         std::uint64_t growth_limit_bytes);
  Result<void> make_folder(const Path& folder);
  Result<void> rename(const Path& from, const Path& to);
  Result<TreeSize> copy(const Path& from, const Path& to, const CopyOptions& options);
  Result<TreeSize> remove(const Path& path);
  Result<TreeSize> measure(const Path& path) const;

 private:
  using Nodes = std::map<Path, MemoryNode>;
  const MemoryNode* find(const Path& path) const;
  Result<void> need_folder(const Path& folder) const;
  Result<void> may_write(const Path& target, const WriteOptions& options) const;
  Result<Nodes::const_iterator> need_item(const Path& path) const;
  Entry entry_of(const Path& path, const MemoryNode& node) const;
  TreeSize size_of(const Path& top) const;
  void add_folder(const Path& folder);

  mutable std::mutex mutex_;
  Nodes nodes_;  ///< Without the root.
  std::uint64_t last_id_ = 0;
};

}  // namespace coffer::storage
