#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/pool.h"
#include "backends/local/local_store.h"
#include "core/connectors/circuit_breaker.h"
#include "core/connectors/connector_type.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"
#include "core/tasks/work_pools.h"

namespace coffer::mounts {

/// The backends of shares and connectors. A backend is made when it is first needed, and cached
/// with its connections. When another backend is made, those that were unused for ten minutes are
/// dropped. Safe from any thread.
class OpenedBackends final : public core::MountBackends, public core::ConnectorHealth {
 public:
  /// `data` is the server's data folder; neither it, nor a folder in it or above it, can be shared.
  /// If `durable`, content of shares survives a power failure. The store and the pools are for the
  /// disks of this machine; their threads must not wait for servers.
  OpenedBackends(std::filesystem::path data, bool durable, const core::ConnectorTypes& types,
                 const core::Sealer& sealer, local::LocalStore& store, core::WorkPools& pools)
      : data_(std::move(data)),
        durable_(durable),
        types_(types),
        sealer_(sealer),
        store_(store),
        pools_(pools) {}

  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Share& share) override;
  Task<Result<std::shared_ptr<storage::Backend>>> of(const catalog::Connector& connector) override;
  Task<std::vector<std::string>> folders_of(std::span<const catalog::Share> shares) override;

  core::ServerHealth health_of(const ConnectorId& connector) override;

 private:
  using Made = Result<std::shared_ptr<storage::Backend>>;
  struct Kept {
    std::string description;  ///< All settings that the backend was made from.
    std::shared_ptr<storage::Backend> backend;
    std::chrono::steady_clock::time_point used_at;
  };
  /// Returns the cached backend with this id and description. If there is none, calls `make` on a
  /// thread of `pool`: opening a folder may take long, and so may destroying the backend that is
  /// replaced. Simultaneous callers share one call of `make`.
  Task<Made> keep(std::string id, std::string description, std::function<Made()> make, Pool& pool);
  /// True if the folder that was opened is still the one at the path `folder`.
  static Task<bool> stands(const storage::Backend& opened, const std::string& folder, Pool& pool);
  /// Removes a backend from the cache. Its other users can continue to use it.
  Task<void> let_go(const std::string& id, std::shared_ptr<storage::Backend> backend, Pool& pool);
  /// A backend that is being opened, shared by all callers that need it meanwhile.
  struct Opening {
    std::mutex mutex;  ///< Held by the one that opens it.
    std::optional<Made> made;
  };
  std::shared_ptr<Opening> opening_of(const std::string& key);
  std::shared_ptr<storage::Backend> find(const std::string& id, const std::string& description);
  Made add(const std::string& id, const std::string& description, Made made);
  Made make(const catalog::Share& share);
  Made make(const catalog::Connector& connector);
  /// Returns the current path of the share's folder, without symbolic links. Waits for the disk.
  Task<std::string> folder_of(const catalog::Share& share);

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
