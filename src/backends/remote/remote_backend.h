#pragma once

#include <cstdint>
#include <memory>

#include "backends/remote/adapter.h"
#include "storage/backend.h"

namespace coffer::remote {

/// The time for which one operation uses a connection to the server.
enum class Use : std::uint8_t {
  brief,    ///< The time of a few commands.
  lasting,  ///< The time of a walk through a tree.
};

/// The common part of backends on remote servers: all calls that read metadata or change items. A
/// derived class opens readers and creates writers. The writers must be PartialWriters.
class RemoteBackend : public storage::Backend {
 public:
  Task<Result<storage::Entry>> stat(const Path& path) override;
  Task<Result<storage::FolderListing>> read_folder(const Path& folder,
                                                   storage::ListingBound bound = {}) override;
  bool is_remote() const override { return true; }
  /// These two always return null or nullopt, because an answer would need a request to the server.
  std::unique_ptr<storage::Reader> open_now(const Path& file) override;
  std::optional<storage::Entry> stat_now(const Path& path) override;
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
  /// Returns `path` unchanged, without asking the server.
  Task<Result<Path>> canonical(const Path& path) override;

 protected:
  /// Returns an adapter for one operation. If no connection is free, all calls of the adapter fail.
  virtual Task<std::unique_ptr<Adapter>> begin(Use use) = 0;
  /// Starts a sweep in the background if there are leftovers (see Leftovers).
  virtual void sweep_behind() = 0;

 private:
  /// Awaits `work` with a new adapter, calls `sweep_behind`, and returns the result of `work`.
  template <class T, class... Parameters, class... Arguments>
  Task<Result<T>> with(Use use, Task<Result<T>> (*work)(Adapter&, Parameters...),
                       const Arguments&... arguments);
};

}  // namespace coffer::remote
