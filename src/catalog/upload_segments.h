#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "storage/upload_segments.h"

namespace coffer::catalog {

class Database;

/// The segments of uploads in the catalog. Other processes may use the same catalog. A transaction
/// that changes the segments of an unfinished upload locks the upload's row before.
class UploadSegments final : public storage::UploadSegments {
 public:
  explicit UploadSegments(Database& database) : database_(database) {}

  Task<Result<std::vector<storage::UploadSegment>>> find(UploadId upload, std::uint64_t offset,
                                                         std::size_t most) override;
  Task<Result<void>> replace(storage::UploadTurn turn,
                             std::vector<storage::UploadSegment> segments) override;
  Task<Result<void>> remove(UploadId upload) override;
  Task<Result<std::vector<UploadId>>> uploads() override;

 private:
  Database& database_;
};

}  // namespace coffer::catalog
