#include "mounts/gated_versions.h"

namespace coffer::mounts {

Task<Result<storage::Restored>> GatedVersions::restore(const Path& file, storage::VersionId id,
                                                       const storage::WriteOptions& options,
                                                       storage::MayShow may_show) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::versions));
  co_return co_await inner_.restore(file, id, options, std::move(may_show));
}

Task<Result<std::uint64_t>> GatedVersions::remove(const Path& file, storage::VersionId id,
                                                  storage::MayShow may_show) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::versions));
  co_return co_await inner_.remove(file, id, std::move(may_show));
}

Task<Result<std::uint64_t>> GatedVersions::free_up(std::uint64_t bytes) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::versions));
  co_return co_await inner_.free_up(bytes);
}

Task<Result<storage::Expired>> GatedVersions::expire(Timestamp before) {
  CO_TRY(const auto pass, gate_->begin_step(WriteStep::versions));
  co_return co_await inner_.expire(before);
}

}  // namespace coffer::mounts
