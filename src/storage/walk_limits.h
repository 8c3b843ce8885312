#pragma once

#include <cstddef>

#include "base/error.h"

namespace coffer::storage {

/// How much a walk through a tree of a server meets before it is given up: more than people have.
struct WalkLimits {
  std::size_t folders = 250'000;
  std::size_t items = 2'000'000;
  std::size_t name_bytes = 128 * 1024 * 1024;
  std::size_t depth = 200;
};

/// One way through a tree, which on a hostile server has no end.
class WalkBudget {
 public:
  explicit WalkBudget(const WalkLimits& limits) : left_(limits) {}

  /// May a folder be listed that lies so many folders below the top? `refused` if that is too deep.
  Result<void> enter(std::size_t depth) const;
  /// What the listing of one more folder brought; `refused` if that is too much by now.
  Result<void> spend(std::size_t items, std::size_t name_bytes);

 private:
  WalkLimits left_;
};

}  // namespace coffer::storage
