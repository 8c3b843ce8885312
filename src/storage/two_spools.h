#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/spool.h"

namespace coffer::storage {

/// A spool whose place was changed: new uploads begin in `first`, and those that have bytes in
/// `second` go on there. As thread-safe as both.
class TwoSpools final : public Spool {
 public:
  TwoSpools(std::unique_ptr<Spool> first, std::unique_ptr<Spool> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  Task<Result<std::unique_ptr<SpoolFile>>> open(UploadTurn turn, std::uint64_t size_bytes,
                                                Pool& pool) override;
  Task<Result<void>> remove(std::string name, Pool& pool) override;
  Task<Result<std::vector<std::string>>> names(Pool& pool) override;
  /// Returns how many bytes there is room for in the first.
  Task<Result<std::uint64_t>> free_bytes(Pool& pool) override { return first_->free_bytes(pool); }

 private:
  const std::unique_ptr<Spool> first_;
  const std::unique_ptr<Spool> second_;
};

}  // namespace coffer::storage
