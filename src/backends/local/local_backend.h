#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "async/pool.h"
#include "backends/local/handle.h"
#include "backends/local/local_store.h"
#include "storage/backend.h"

namespace coffer::local {

/// Where a backend keeps its staging folder, which holds content that is not published yet, and
/// content that is being deleted.
enum class Collects : std::uint8_t {
  nowhere,  ///< The backend is read-only: changes fail with `forbidden`.
  in_root,  ///< Directly in the root, as storage::kStagingFolder, which clients do not see.
  in_data,  ///< In the data folder, shared with others; in the root if that is on another disk.
};

struct LocalOptions {
  std::filesystem::path root = {};  ///< Must exist. Ignored by the `open` that takes a handle.
  Collects collects = Collects::nowhere;
  bool durable = true;  ///< Successful changes survive a crash of the machine.
};

struct Volume;
class Lookup;
class Publication;

/// The backend for a folder on a disk of this machine. The kernel confines paths to the folder
/// (openat2(2)), and names change atomically (renameat2(2)). Open only one backend for each root:
/// two might not share the lock Volume::steps, and could report wrong sizes of replaced files.
class LocalBackend final : public storage::Backend {
 public:
  /// Opens a backend that uses the store's pool. The store must outlive the backend. Errors:
  /// - `not_found`, `forbidden` or `failed` if the root or the data folder's staging folder cannot
  ///   be used. If the one in the root cannot be used, only changes fail; each tries it again.
  static Result<std::unique_ptr<LocalBackend>> open(const LocalOptions& options, LocalStore& store);
  /// Opens a backend that uses `lengthy_pool` for whole trees and large folders, and `pool` for all
  /// other work. The store and both pools must outlive the backend. Fails as the other `open` does.
  static Result<std::unique_ptr<LocalBackend>> open(const LocalOptions& options, LocalStore& store,
                                                    Pool& pool, Pool& lengthy_pool);
  /// The same with `root` as the root, an open folder that can be read.
  static Result<std::unique_ptr<LocalBackend>> open(Handle root, const LocalOptions& options,
                                                    LocalStore& store, Pool& pool,
                                                    Pool& lengthy_pool);
  /// All calls must have ended, and all readers, writers and views must have been destroyed.
  ~LocalBackend() override;

  enum class Wait : std::uint8_t { no, yes };
  /// Returns true if the folder that was opened as the root is at `path`, and no symbolic link is
  /// in `path`. Returns false if another folder replaced the root or was mounted over it. With
  /// Wait::yes, also returns false if `path` cannot be opened. With Wait::no, returns nullopt if
  /// `path` cannot be opened without waiting for a disk.
  std::optional<bool> stands_at(const std::filesystem::path& path, Wait wait) const;

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound = {}) override;
  std::unique_ptr<storage::FolderParts> read_in_parts(const Path& folder) override;
  Task<std::optional<storage::FolderStamp>> stamp(const Path& folder) override;
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  std::unique_ptr<storage::Reader> open_now(const Path& file) override;
  std::optional<storage::Entry> stat_now(const Path& path) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  Task<Result<std::vector<storage::Published>>> publish(
      std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
      storage::MayShow may_show = {}) override;
  Task<Result<void>> make_folder(const Path& folder) override;
  /// Sets the time of the last change alone.
  Task<Result<void>> set_times(const Path& folder, Timestamp created_at,
                               Timestamp modified_at) override;
  /// In an attribute of the item (xattr(7)).
  bool keeps_properties() const override;
  Task<std::vector<std::string>> properties(std::vector<Path> items) override;
  Task<Result<void>> set_properties(const Path& item, std::string text) override;
  Task<Result<void>> set_modified_at(const Path& item, Timestamp modified_at) override;
  Task<Result<void>> rename(const Path& from, const Path& to,
                            storage::MayShow may_show = {}) override;
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<std::optional<std::uint64_t>> capacity() override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  LocalBackend(std::shared_ptr<Volume> volume, const Lookup& lookup);
  Task<Result<void>> check_writable();
  /// Returns false if it must be called again; see Publication::show.
  Task<Result<bool>> try_to_publish(Publication& publication, const storage::MayShow& may_show);

  std::shared_ptr<Volume> volume_;  ///< Shared with the views.
  std::unique_ptr<const Lookup> lookup_;
};

}  // namespace coffer::local
