#pragma once

#include <memory>

#include "core/namespace/mounts.h"

namespace coffer::core {

/// For tests that open no mount: none can be.
class NoBackends final : public MountBackends {
 public:
  using Opened = Result<std::shared_ptr<storage::Backend>>;
  Task<Opened> of(const catalog::Share&) override { co_return nowhere(); }
  Task<Opened> of(const catalog::Connector&) override { co_return nowhere(); }

 private:
  static std::unexpected<Error> nowhere() { return fail(ErrorCode::unavailable, "nowhere"); }
};

}  // namespace coffer::core
