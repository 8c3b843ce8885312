#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "async/pool.h"
#include "backends/local/local_store.h"
#include "storage/backend.h"

namespace coffer::local {

struct LocalOptions {
  std::filesystem::path root = {};  ///< Must exist.
  /// Made if it is missing (0700). On the root's file system, outside the root or directly in it,
  /// where it is hidden; several roots may share one outside. Empty: nothing is written anywhere,
  /// and changes are `forbidden`.
  std::filesystem::path staging = {};
  bool durable = true;        ///< Successful changes survive a crash of the machine.
  bool unnamed_files = true;  ///< Collects content in files without a name (O_TMPFILE) if it can.
};

struct Volume;
class Lookup;
class Publication;

/// A folder on a disk of this machine. The kernel keeps paths inside it (openat2(2)); names change
/// in single steps (renameat2(2)); content is collected and reclaimed in the staging folder. Use
/// one for each root: the lock that makes sizes exact is shared by a backend and its views only.
class LocalBackend final : public storage::Backend {
 public:
  /// `not_found`, `forbidden` or `failed` when one of the folders cannot be used, `invalid` when
  /// the staging folder is on another file system or deep in the root. The store must outlive it.
  static Result<std::unique_ptr<LocalBackend>> open(const LocalOptions& options, LocalStore& store);
  /// The same with pools of its own, which must outlive it; `lengthy_pool` is for work on whole
  /// trees.
  static Result<std::unique_ptr<LocalBackend>> open(const LocalOptions& options, LocalStore& store,
                                                    Pool& pool, Pool& lengthy_pool);
  /// Readers, writers, views and calls must have ended.
  ~LocalBackend() override;

  enum class Wait : std::uint8_t { no, yes };
  /// True if the folder at `path`, behind its links, is the one that was opened, and not another
  /// that replaced it or was mounted over it; false also if it cannot be opened. With Wait::no,
  /// nullopt if finding out would wait for a disk.
  std::optional<bool> stands_at(const std::filesystem::path& path, Wait wait) const;

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<std::vector<storage::Entry>>> list(const Path& folder) override;
  Task<std::optional<storage::FolderStamp>> stamp(const Path& folder) override;
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override;
  Task<Result<bool>> lists_all(const Path& folder) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
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
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<std::optional<std::uint64_t>> capacity() override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  LocalBackend(std::shared_ptr<Volume> volume, const Lookup& lookup);
  Result<void> check_writable() const;
  /// False if it is to be called again (Publication::show).
  Task<Result<bool>> try_to_publish(Publication& publication, const storage::MayShow& may_show);

  std::shared_ptr<Volume> volume_;  ///< Shared with the views.
  std::unique_ptr<const Lookup> lookup_;
};

}  // namespace coffer::local
