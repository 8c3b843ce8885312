#pragma once

#include <memory>

#include "backends/remote/remote_backend.h"

namespace coffer::remote {

class MemoryServer;

/// A server in memory behind an adapter, which can what the capabilities say: of `replaces`,
/// `links` and `changes_case` any, all else is as it is by default. For tests.
class MemoryRemote final : public RemoteBackend {
 public:
  explicit MemoryRemote(const Capabilities& can);

  Task<Result<std::unique_ptr<storage::Reader>>> open(const Path& file) override;
  Task<Result<std::unique_ptr<storage::Writer>>> create(const Path& target,
                                                        storage::WriteOptions options) override;
  std::unique_ptr<storage::Backend> beneath(const Path& folder) override;

 private:
  MemoryRemote(std::shared_ptr<MemoryServer> server, Path base);
  Task<std::unique_ptr<Adapter>> begin(Use use) override;
  void sweep_behind() override;

  std::shared_ptr<MemoryServer> server_;  ///< Shared with the views, readers and writers.
  Path base_;
};

}  // namespace coffer::remote
