#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/objects/blobs.h"
#include "backends/objects/object_versions.h"
#include "storage/backend.h"
#include "storage/folder_notices.h"
#include "storage/names.h"

namespace coffer::objects {

/// A tree whose names are in a database and whose contents are in a store of objects. Several
/// processes may serve the same tree. Names are compared byte by byte. There are no links. Folders
/// keep the modification time that they were made with. A copy shares the contents of its source.
class ObjectBackend final : public storage::Backend {
 public:
  /// `names` and `blobs` must outlive the backend, its readers and its writers. Reads and writes of
  /// `blobs` that nobody waits for any more may end later.
  ObjectBackend(storage::Names& names, Blobs& blobs, storage::NameTreeId tree)
      : ObjectBackend(names, blobs, tree, Path(), std::make_shared<storage::FolderNotices>()) {}

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound = {}) override;
  Task<Result<std::unique_ptr<storage::TreeSearch>>> search(const Path& folder,
                                                            storage::TreeQuery query) override;
  /// Hears of what this object and its views change.
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  bool opens_together() const override { return true; }
  Task<std::vector<std::unique_ptr<storage::Reader>>> open_together(
      const Path& folder, std::span<const storage::Entry> files,
      const storage::CopyWatch& watch) override;
  std::unique_ptr<storage::Reader> open_now(const Path& file) override;
  std::optional<storage::Entry> stat_now(const Path& path) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  storage::Versions* versions() override { return versions_ ? &*versions_ : nullptr; }
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show = {}) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> set_times(const Path& folder, Timestamp created_at,
                               Timestamp modified_at) override;
  Task<Result<void>> rename(const Path& from, const Path& to,
                            storage::MayShow may_show = {}) override;
  /// Copies in one step, and tells the progress just before its end. A larger tree would keep the
  /// database busy for too long.
  std::uint64_t most_copied() const override { return 200'000; }
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  ObjectBackend(storage::Names& names, Blobs& blobs, storage::NameTreeId tree, Path base,
                std::shared_ptr<storage::FolderNotices> notices)
      : names_(names),
        blobs_(blobs),
        tree_(tree),
        base_(std::move(base)),
        notices_(std::move(notices)) {
    if (auto* const versions = names_.versions()) {
      versions_.emplace(*versions, blobs_, tree_, base_, notices_);
    }
  }

  storage::Names& names_;
  Blobs& blobs_;
  const storage::NameTreeId tree_;
  const Path base_;
  const std::shared_ptr<storage::FolderNotices> notices_;
  std::optional<ObjectVersions> versions_;  ///< Absent if the names keep none.
};

}  // namespace coffer::objects
