#include "backends/objects/object_versions.h"

#include "backends/objects/object_reader.h"

namespace coffer::objects {

Task<Result<std::vector<storage::PastVersion>>> ObjectVersions::list(const Path& file) {
  const Path whole = base_ / file;
  co_return co_await versions_.list(tree_, whole);
}

Task<Result<storage::VersionOfFile>> ObjectVersions::find(storage::VersionId id) {
  CO_TRY(auto found, co_await versions_.find(tree_, id));
  if (!found.file.is_within(base_)) {
    co_return fail(ErrorCode::not_found, "There is no such version.");
  }
  found.file = found.file.relative_to(base_);
  co_return found;
}

Task<Result<std::unique_ptr<storage::Reader>>> ObjectVersions::open(storage::VersionId id) {
  CO_TRY([[maybe_unused]] const auto found, co_await find(id));
  CO_TRY(auto opened, co_await versions_.open(tree_, id));
  co_return ObjectReader::make(std::move(opened), blobs_);
}

Task<Result<storage::Restored>> ObjectVersions::restore(const Path& file, storage::VersionId id,
                                                        const storage::WriteOptions& options,
                                                        storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  const Path whole = base_ / file;
  CO_TRY(auto restored, co_await versions_.restore(tree_, whole, id, options));
  notices_->tell(whole);
  co_return restored;
}

Task<Result<std::uint64_t>> ObjectVersions::remove(const Path& file, storage::VersionId id,
                                                   storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  const Path whole = base_ / file;
  CO_TRY(const auto freed, co_await versions_.remove(tree_, whole, id));
  notices_->tell(whole);
  co_return freed;
}

Task<Result<std::uint64_t>> ObjectVersions::total_bytes() {
  return versions_.total_bytes(tree_);
}

Task<Result<std::uint64_t>> ObjectVersions::free_up(std::uint64_t bytes) {
  return versions_.free_up(tree_, bytes);
}

Task<Result<storage::Expired>> ObjectVersions::expire(Timestamp before) {
  return versions_.expire(tree_, before);
}

}  // namespace coffer::objects
