#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/place_locks.h"
#include "core/connectors/circuit_breaker.h"
#include "storage/backend.h"
#include "storage/folder_notices.h"
#include "storage/folder_watch.h"

namespace coffer::core {

/// Locks items of a connector, whose paths are from its root, until the result is destroyed: no
/// server of the catalog changes these names, or those above or below them, meanwhile. Fails as
/// catalog::PlaceLocks does.
using LockNames =
    std::function<Task<Result<catalog::PlaceLocks::Hold>>(const std::vector<Path>& items)>;

/// Locks items of the connector. An empty id is that of a connector which is not stored yet, of
/// whose server nothing is locked.
LockNames lock_names_of(catalog::PlaceLocks& locks, const ConnectorId& connector);

/// A remote backend behind a CircuitBreaker. The messages of `unavailable`, `timed_out` and
/// `refused` begin with the mount's label. Readers and writers add the label too, but the breaker
/// does not count their failures. All backends that `beneath` returns share a second breaker, so
/// that failures in them do not make this backend refuse calls. Watchers of a folder are told of
/// each change that is made there through this backend, even if the call failed, because the server
/// may have made the change. A reader that fails after a pause of its caller, in which servers end
/// connections, opens the file again and goes on if it is unchanged. Where several servers share
/// the catalog, names are published and changed by one of them at a time. As thread-safe as the
/// inner backend.
class GuardedBackend final : public storage::Backend {
 public:
  /// `lock_names` may be empty.
  GuardedBackend(
      std::unique_ptr<storage::Backend> inner, std::string label, LockNames lock_names = {},
      std::function<CircuitBreaker::Clock::time_point()> now = CircuitBreaker::Clock::now);

  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound = {}) override;
  bool is_remote() const override { return true; }
  Task<std::unique_ptr<storage::FolderWatch>> watch(const Path& folder,
                                                    storage::FolderListener listener) override;
  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  bool opens_together() const override { return inner_->opens_together(); }
  bool renames_in_one_step() const override { return inner_->renames_in_one_step(); }
  bool copies() const override { return inner_->copies(); }
  std::uint64_t most_copied() const override { return inner_->most_copied(); }
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
  Task<Result<storage::TreeSize>> copy(const Path& from, const Path& to,
                                       const storage::CopyOptions& options) override;
  Task<Result<storage::Removed>> remove(const Path& path) override;
  Task<Result<storage::TreeSize>> measure(const Path& path) override;
  Task<Result<Path>> canonical(const Path& path) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

  ServerHealth health() const { return breaker_->health(); }

 private:
  using Breaker = std::shared_ptr<CircuitBreaker>;

  GuardedBackend(std::unique_ptr<storage::Backend> inner, Breaker breaker, Breaker views_breaker,
                 std::shared_ptr<storage::FolderNotices> notices, LockNames lock_names, Path base);
  Task<Result<catalog::PlaceLocks::Hold>> lock_names(std::vector<Path> items) const;

  template <class T>
  Task<Result<T>> guard(Task<Result<T>> call);

  const std::shared_ptr<storage::Backend> inner_;
  Breaker breaker_;
  Breaker views_breaker_;
  std::shared_ptr<storage::FolderNotices> notices_;
  const LockNames lock_names_;
  const Path base_;  ///< The path of this backend's root, from the connector's root.
};

}  // namespace coffer::core
