#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backends/objects/blobs.h"
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
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show = {}) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  Task<Result<void>> rename(const Path& from, const Path& to,
                            storage::MayShow may_show = {}) override;
  /// Copies in one step, and tells the progress just before its end.
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
        notices_(std::move(notices)) {}

  storage::Names& names_;
  Blobs& blobs_;
  const storage::NameTreeId tree_;
  const Path base_;
  const std::shared_ptr<storage::FolderNotices> notices_;
};

}  // namespace coffer::objects
