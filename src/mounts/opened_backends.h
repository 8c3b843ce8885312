#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "async/pool.h"
#include "backends/local/local_store.h"
#include "catalog/shared_work.h"
#include "core/connectors/circuit_breaker.h"
#include "core/connectors/connector_type.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"

namespace coffer::mounts {

/// The backends of shares and connectors. A backend is made when it is first needed, and then
/// cached with its connections. Whenever a backend is added, the cache drops each backend that was
/// not requested for ten minutes and that no caller holds. Safe from any thread.
class OpenedBackends final : public core::MountBackends, public core::ConnectorHealth {
 public:
  /// `data` is Coffer's data folder. This folder, the folders in it and the folders above it cannot
  /// be shared. If `durable`, published content of shares survives a power failure. `pools` are for
  /// work on disks: their threads must not wait for remote servers.
  OpenedBackends(std::filesystem::path data, bool durable, const core::ConnectorTypes& types,
                 const core::Sealer& sealer, local::LocalStore& store, core::WorkPools& pools,
                 catalog::SharedWork& shared_work)
      : shared_work_(shared_work),
        data_(std::move(data)),
        durable_(durable),
        types_(types),
        sealer_(sealer),
        store_(store),
        pools_(pools) {}

  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Share& share) override;
  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Connector& connector) override;

  core::ServerHealth health_of(const ConnectorId& connector) override;

 private:
  using Made = Result<std::shared_ptr<storage::Backend>>;
  /// Where several servers share the catalog: `unavailable` unless the folder of the share is the
  /// one that the first of them has opened for it.
  Task<Result<void>> check_mark(const catalog::Share& share, Pool& pool);
  struct Kept {
    std::string description;  ///< The backend's settings. If they change, a new backend is made.
    std::shared_ptr<storage::Backend> backend;
    std::chrono::steady_clock::time_point used_at;
  };
  /// Returns the cached backend with this id and description. If there is none, calls `make` and
  /// caches the new backend in place of the old one with this id. Does so on a thread of `pool`,
  /// because disk calls may block. Simultaneous callers share one call of `make`.
  Task<Made> keep(std::string id, std::string description, std::function<Made()> make, Pool& pool);
  /// True if the folder that `opened` has opened is still at the path `folder`.
  static Task<bool> stands(const storage::Backend& opened, const std::string& folder, Pool& pool);
  /// Removes a backend from the cache. Callers that still hold the backend can continue to use it.
  Task<void> let_go(const std::string& id, std::shared_ptr<storage::Backend> backend, Pool& pool);
  /// A backend that is being opened. Shared by all callers that need the backend meanwhile.
  struct Opening {
    std::mutex mutex;  ///< Held by the caller that opens the backend.
    std::optional<Made> made;
  };
  std::shared_ptr<Opening> opening_of(const std::string& key);
  std::shared_ptr<storage::Backend> find(const std::string& id, const std::string& description);
  Made add(const std::string& id, const std::string& description, Made made);
  Made make(const catalog::Share& share);
  Made make(const catalog::Connector& connector);

  catalog::SharedWork& shared_work_;
  const std::filesystem::path data_;
  const bool durable_;
  const core::ConnectorTypes& types_;
  const core::Sealer& sealer_;
  local::LocalStore& store_;
  core::WorkPools& pools_;
  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
  std::map<std::string, std::weak_ptr<Opening>> openings_;
};

}  // namespace coffer::mounts
