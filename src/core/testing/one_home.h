#pragma once

#include <memory>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// All accounts have this home.
class OneHome final : public HomeDirectories {
 public:
  explicit OneHome(std::shared_ptr<storage::Backend> home) : home_(std::move(home)) {}

  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account&) override { return home_; }
  Result<void> purge(const catalog::Account&) override { return {}; }
  Task<Result<void>> make(const catalog::Account&) override { co_return Result<void>(); }

 private:
  const std::shared_ptr<storage::Backend> home_;
};

}  // namespace coffer::core
