#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "backends/objects/blobs.h"
#include "storage/folder_notices.h"
#include "storage/names.h"
#include "storage/versions.h"

namespace coffer::objects {

/// The versions of the files of an ObjectBackend, as its names keep them.
class ObjectVersions final : public storage::Versions {
 public:
  /// `base` is the root of the view. `versions` and `blobs` must outlive this object and its
  /// readers.
  ObjectVersions(storage::NameVersions& versions, Blobs& blobs, storage::NameTreeId tree, Path base,
                 std::shared_ptr<storage::FolderNotices> notices)
      : versions_(versions),
        blobs_(blobs),
        tree_(tree),
        base_(std::move(base)),
        notices_(std::move(notices)) {}

  bool are_kept() const override { return versions_.are_kept(); }
  Task<Result<std::vector<storage::PastVersion>>> list(const Path& file) override;
  Task<Result<storage::VersionOfFile>> find(storage::VersionId id) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(storage::VersionId id) override;
  Task<Result<storage::Restored>> restore(const Path& file, storage::VersionId id,
                                          const storage::WriteOptions& options,
                                          storage::MayShow may_show) override;
  Task<Result<std::uint64_t>> remove(const Path& file, storage::VersionId id,
                                     storage::MayShow may_show) override;
  Task<Result<std::uint64_t>> total_bytes() override;
  Task<Result<std::uint64_t>> free_up(std::uint64_t bytes) override;
  Task<Result<storage::Expired>> expire(Timestamp before) override;

 private:
  storage::NameVersions& versions_;
  Blobs& blobs_;
  const storage::NameTreeId tree_;
  const Path base_;
  const std::shared_ptr<storage::FolderNotices> notices_;
};

}  // namespace coffer::objects
