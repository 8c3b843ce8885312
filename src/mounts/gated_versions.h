#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mounts/write_gate.h"
#include "storage/versions.h"

namespace coffer::mounts {

/// The versions of the own files of an account behind a WriteGate, as GatedHome has the files.
class GatedVersions final : public storage::Versions {
 public:
  /// `inner` must outlive this object.
  GatedVersions(storage::Versions& inner, std::shared_ptr<WriteGate> gate)
      : inner_(inner), gate_(std::move(gate)) {}

  bool are_kept() const override { return inner_.are_kept(); }
  Task<Result<std::vector<storage::PastVersion>>> list(const Path& file) override {
    return inner_.list(file);
  }
  Task<Result<storage::VersionOfFile>> find(storage::VersionId id) override {
    return inner_.find(id);
  }
  Task<Result<std::unique_ptr<storage::Reader>>> open(storage::VersionId id) override {
    return inner_.open(id);
  }
  Task<Result<std::uint64_t>> total_bytes() override { return inner_.total_bytes(); }

  Task<Result<storage::Restored>> restore(const Path& file, storage::VersionId id,
                                          const storage::WriteOptions& options,
                                          storage::MayShow may_show) override;
  Task<Result<std::uint64_t>> remove(const Path& file, storage::VersionId id,
                                     storage::MayShow may_show) override;
  Task<Result<std::uint64_t>> free_up(std::uint64_t bytes) override;
  Task<Result<storage::Expired>> expire(Timestamp before) override;

 private:
  storage::Versions& inner_;
  const std::shared_ptr<WriteGate> gate_;
};

}  // namespace coffer::mounts
