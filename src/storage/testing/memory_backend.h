#pragma once

#include <memory>

#include "storage/backend.h"

namespace coffer::storage {

class MemoryTree;

/// A backend in memory with the contract of all others, for tests. It has no links. It never
/// blocks, so open_now and stat_now succeed whenever open and stat do.
class MemoryBackend final : public Backend {
 public:
  MemoryBackend();
  ~MemoryBackend() override;

  Task<Result<Entry>> stat(const Path& path) override;
  Task<Result<FolderListing>> read_folder(const Path& folder, ListingBound bound = {}) override;
  Task<Result<std::unique_ptr<Reader>>> open(const Path& file) override;
  std::unique_ptr<Reader> open_now(const Path& file) override;
  std::optional<Entry> stat_now(const Path& path) override;
  Task<Result<std::unique_ptr<Writer>>> create(const Path& target, WriteOptions options) override;
  Task<Result<std::vector<Published>>> publish(std::span<const std::unique_ptr<Writer>> writers,
                                               std::uint64_t growth_limit_bytes,
                                               MayShow may_show = {}) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> rename(const Path& from, const Path& to, MayShow may_show = {}) override;
  Task<Result<TreeSize>> copy(const Path& from, const Path& to,
                              const CopyOptions& options) override;
  Task<Result<Removed>> remove(const Path& path) override;
  Task<Result<TreeSize>> measure(const Path& path) override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<Backend> beneath(const Path& folder) override;

 private:
  MemoryBackend(std::shared_ptr<MemoryTree> tree, Path base);

  std::shared_ptr<MemoryTree> tree_;  ///< Shared with the views.
  Path base_;
};

}  // namespace coffer::storage
